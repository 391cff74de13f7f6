#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "audit.hpp"
#include "core/body.hpp"
#include "core/check.hpp"
#include "core/flash_body.hpp"
#include "core/flash_check.hpp"
#include "fault/bent.hpp"
#include "fault/flash_bent.hpp"
#include "flash_launch.hpp"
#include "launch.hpp"
#include "pagestorm/builder.hpp"

namespace pagestorm {
namespace {

enum class Style { plain, shuffled, audited };

constexpr std::string_view name_of(Style style) {
  switch (style) {
    case Style::plain: return "host";
    case Style::shuffled: return "host-shuffled";
    case Style::audited: return "host-audited";
  }
  return "";
}

class HostBuilder final : public Builder {
 public:
  HostBuilder(Style style, Fault fault) : style_(style), fault_(fault) {}

  std::string_view name() const override { return name_of(style_); }
  Capabilities capabilities() const override { return {.audits = style_ == Style::audited, .flash = true}; }
  std::span<const Access> accesses() const override { return log_.accesses(); }

  void enqueue(const Call& call) override {
    if (const char* problem = core::complaint(call.batch, call.out)) throw std::invalid_argument(problem);
    flash_.reset();
    in_ = call.batch;
    out_ = call.out;
    order_ = call.order;
    if (fault_ == Fault::lengths_read_on_host) cut_at_longest();
  }

  void enqueue(const FlashCall& call) override {
    if (const char* problem = core::complaint(call.batch, call.out)) throw std::invalid_argument(problem);
    flash_ = Flash{call.batch, call.out};
    order_ = call.order;
    if (fault_ == Fault::lengths_read_on_host) cut_flash_at_longest();
  }

  void complete() override {
    log_.start();
    if (style_ == Style::audited) return run(host::AuditedMemory{&log_});
    run(core::PlainMemory{});
  }

 private:
  struct Flash {
    FlashBatch in;
    FlashMetadata out;
  };

  template <class Memory>
  void run(Memory memory) {
    if (flash_) return run_flash(memory);
    if (fault_ == Fault::none) return launch(core::body_of(in_, out_, memory, core::Sound{}));
    launch(core::body_of(in_, out_, memory, fault::Bent{fault_}));
  }

  template <class Body>
  void launch(const Body& body) {
    if (style_ == Style::shuffled) return host::launch_shuffled(body, draws());
    if (order_ == 0) return host::launch(body);
    host::launch_backwards(body, static_cast<std::int64_t>(1 + order_ % 5));
  }

  template <class Memory>
  void run_flash(Memory memory) {
    if (fault_ == Fault::none)
      return launch_flash(core::flash_body_of(flash_->in, flash_->out, memory, core::FlashSound{}));
    launch_flash(core::flash_body_of(flash_->in, flash_->out, memory, fault::FlashBent{fault_}));
  }

  template <class Body>
  void launch_flash(const Body& body) {
    if (style_ == Style::shuffled) return host::flash_launch_shuffled(body, draws());
    if (order_ == 0) return host::flash_launch(body);
    host::flash_launch_backwards(body, static_cast<std::int64_t>(1 + order_ % 5));
  }

  /// Of a shuffled builder, for the order that is asked for.
  host::Draws& draws() {
    constexpr std::uint64_t default_shuffle = 0x5eed;
    const std::uint64_t seed = order_ == 0 ? default_shuffle : order_;
    return draws_.try_emplace(seed, seed).first->second;
  }

  void cut_flash_at_longest() {
    const auto body = core::flash_body_of(flash_->in, flash_->out, core::PlainMemory{}, core::FlashSound{});
    std::int64_t longest = 0;
    for (const auto& task : host::flash_tasks(body))
      longest = std::max(longest, body.row_of(task.row, task.member, task.before).keys);
    flash_->out.page_table.cols = std::min(flash_->out.page_table.cols, longest);
  }

  void cut_at_longest() {
    const auto body = core::body_of(in_, out_, core::PlainMemory{}, core::Sound{});
    std::int64_t longest = 0;
    for (std::int64_t row = 0; row < in_.rows; ++row) longest = std::max(longest, body.lengths(row).keys);
    const std::int64_t cut = std::min(out_.page_table.cols, body.size.pages(longest));
    out_.page_table.cols = cut;
    out_.swa_page_table.cols = cut;
  }

  Style style_;
  Fault fault_;
  Batch in_;
  Metadata out_;
  std::optional<Flash> flash_;  ///< what was enqueued, where it was of the family
  std::uint64_t order_ = 0;
  host::AccessLog log_;
  std::map<std::uint64_t, host::Draws> draws_;  ///< by seed: laws ask for the same few orders again and again
};

}  // namespace

std::vector<BuilderEntry> host_builders() {
  std::vector<BuilderEntry> entries;
  for (const Style style : {Style::plain, Style::shuffled, Style::audited})
    entries.push_back({std::string(name_of(style)), "",
                       [style](Fault fault) { return std::make_unique<HostBuilder>(style, fault); }});
  return entries;
}

}  // namespace pagestorm
