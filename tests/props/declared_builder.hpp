#pragma once
// A builder that does one thing otherwise than the host builder around which it stands, and may declare so.

#include <functional>
#include <memory>
#include <utility>

#include "pagestorm/builder.hpp"

namespace pagestorm::props {

/// What a builder does otherwise: both may be empty.
struct Bend {
  std::function<void(const Call&)> before;  ///< looks at the image before the host builder runs
  std::function<void(const Call&)> after;   ///< changes what it made
};

class DeclaredBuilder final : public Builder {
 public:
  DeclaredBuilder(std::unique_ptr<Builder> inner, Capabilities capabilities, Bend bend = {})
      : inner_(std::move(inner)), capabilities_(capabilities), bend_(std::move(bend)) {}

  std::string_view name() const override { return "declared"; }
  Capabilities capabilities() const override { return capabilities_; }
  void enqueue(const Call& call) override {
    call_ = call;
    inner_->enqueue(call);
  }
  void complete() override {
    if (bend_.before) bend_.before(call_);
    inner_->complete();
    if (bend_.after) bend_.after(call_);
  }

 private:
  std::unique_ptr<Builder> inner_;
  Capabilities capabilities_;
  Bend bend_;
  Call call_;
};

}  // namespace pagestorm::props
