// The end-to-end oracle. Every KV slot remembers whose token was written there. Tokens are stored through the write slots
// of the call, and read back through its tables and lengths as a paged attention kernel would: for each query the keys up
// to its own position, in SWA layers the last `window` of them. No formula of the builder appears here.

#include "flash_keys.hpp"
#include "host_reads.hpp"
#include "misread.hpp"
#include "props/laws.hpp"

namespace pagestorm::props {
namespace {

class AttentionReadsWhatWasWritten final : public sim::Law {
 public:
  std::string_view name() const override { return "attention_reads_what_was_written"; }
  std::string_view what() const override {
    return "walking the tables like a kernel meets exactly the tokens that belong there, and writes hit own slots only";
  }

  void start(const sim::World& world, const sim::ImageLayout&) override { reads_.start(world); }

  std::optional<sim::Violation> inspect(const sim::World& world) override {
    reads_.follow(world);
    return std::nullopt;
  }

  std::optional<sim::Violation> judge(sim::Moment& moment) override {
    if (auto violation = reads_.write(moment)) return violation;
    const KvMisread misread = reads_.read(moment);
    if (misread.what == MisreadKind::none) return std::nullopt;
    return violation_of(moment, misread);
  }

  // Its tokens are stored all the same.
  void pass_over(sim::Moment& moment) override { reads_.write(moment); }

  // Tokens were stored when the pass itself was judged.
  bool applies_to_flash(const sim::FlashMoment&) const override { return true; }
  std::optional<sim::Violation> judge_flash(sim::FlashMoment& moment) override {
    for (const CausalSet& set : causal_sets(moment)) {
      if (set.expanded >= moment.expected().rows()) break;
      if (auto violation = judge_tokens(moment, set, reads_.store())) return violation;
    }
    return std::nullopt;
  }

 private:
  HostReads reads_;
};

}  // namespace

std::unique_ptr<sim::Law> attention_reads_what_was_written() {
  return std::make_unique<AttentionReadsWhatWasWritten>();
}

}  // namespace pagestorm::props
