// The same law as attention_reads_what_was_written, read by a kernel: tokens are stored and read on a device, through the
// tables that it has. Whose slot a write must hit is still judged on the host, which knows.

#include "device_reads.hpp"
#include "kv_writes.hpp"
#include "misread.hpp"
#include "props/laws.hpp"

namespace pagestorm::props {
namespace {

// Writes are looked at, and kept nowhere.
class NoSlots final : public sim::KvSlots {
 public:
  void write(sim::Model, sim::Pool, std::int64_t, std::uint64_t) override {}
  void write(sim::Model, sim::Pool, std::int64_t, const sim::Content&, std::int64_t, std::int64_t) override {}
  void forget(sim::Pool, std::int64_t) override {}
};

class AttentionReadsOnDevice final : public sim::Law {
 public:
  explicit AttentionReadsOnDevice(DeviceReader& reader) : reads_(reader) {}
  std::string_view name() const override { return "attention_reads_what_was_written"; }
  std::string_view what() const override {
    return "kernels that store and read through the tables meet exactly the tokens that belong there";
  }
  void start(const sim::World& world, const sim::ImageLayout&) override { reads_.start(world); }
  std::optional<sim::Violation> inspect(const sim::World& world) override {
    reads_.follow(world);
    return std::nullopt;
  }
  // What was misread says more than that a write went astray.
  std::optional<sim::Violation> judge(sim::Moment& moment) override {
    const ReaderVerdict verdict = reads_.read(moment);
    if (verdict.first.what != MisreadKind::none) return violation_of(moment, verdict.first);
    NoSlots nowhere;
    return write_all(moment, nowhere);
  }

 private:
  DeviceReads reads_;
};

}  // namespace

std::unique_ptr<sim::Law> attention_reads_on_device(DeviceReader& reader) {
  return std::make_unique<AttentionReadsOnDevice>(reader);
}

}  // namespace pagestorm::props
