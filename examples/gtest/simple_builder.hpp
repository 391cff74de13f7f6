#pragma once
// A builder as a project of one's own may have it: the contract (docs/contract.md) row by row, in plain loops.

#include <pagestorm/builder.hpp>
#include <pagestorm/status.hpp>

#include <cstdint>

namespace example {

/// What is wrong with a builder, to show that it is seen.
enum class Flaw { none, keeps_last_column };

/// Pagestorm hands over shapes and addresses in enqueue; what the arrays hold counts when complete is called.
class SimpleBuilder final : public pagestorm::Builder {
 public:
  explicit SimpleBuilder(Flaw flaw = Flaw::none) : flaw_(flaw) {}

  std::string_view name() const override { return "simple"; }
  pagestorm::Capabilities capabilities() const override;
  void enqueue(const pagestorm::Call& call) override;
  void complete() override;

 private:
  struct Row {
    std::int64_t keys = 0;
    std::int64_t queries = 1;
  };

  bool applies() const { return in_.entry == pagestorm::Entry::apply; }
  Row lengths(std::int64_t row);
  void store_lengths();
  void fill(std::int64_t row, std::int64_t keys);
  std::int64_t slot_at(std::int64_t request, std::int64_t position);
  std::int64_t translated(std::int64_t slot);
  void store_write_slots();
  void raise(pagestorm::Status bit) { *out_.status |= static_cast<std::uint32_t>(bit); }

  Flaw flaw_;
  pagestorm::Batch in_;
  pagestorm::Metadata out_;
};

}  // namespace example
