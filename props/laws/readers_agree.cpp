// Two readers of the same passes: the host's, which is the authority, and a device's. They must misread the same key first,
// or nothing, and count the same write slots that are no slots.

#include <fmt/format.h>

#include <array>

#include "device_reads.hpp"
#include "host_reads.hpp"
#include "kv_writes.hpp"
#include "misread.hpp"
#include "props/laws.hpp"

namespace pagestorm::props {
namespace {

std::array<std::int64_t, kv_pools> unwritten(const sim::Moment& moment) {
  const sim::Config& config = moment.world().config();
  const auto is_outside = [&](std::int64_t slot, std::int64_t pages) {
    return slot < 0 || slot >= (pages + 1) * config.page_size;
  };
  std::array<std::int64_t, kv_pools> count{};
  for (std::int64_t i = 0; i < moment.batch().out_cache_loc.size; ++i) {
    count[0] += is_outside(full_write_slot(moment, i), config.pages) ? 1 : 0;
    const auto swa = swa_write_slot(moment, i);
    count[1] += swa && is_outside(*swa, config.swa_pages) ? 1 : 0;
  }
  return count;
}

std::string show(const ReaderVerdict& verdict) {
  std::string text = describe(verdict.first);
  if (verdict.unwritten[0] + verdict.unwritten[1] > 0)
    text += fmt::format("; {} full and {} SWA write slots are none", verdict.unwritten[0], verdict.unwritten[1]);
  return text;
}

class ReadersAgree final : public sim::Law {
 public:
  explicit ReadersAgree(DeviceReader& reader) : device_(reader) {}
  std::string_view name() const override { return readers_agree_name; }
  std::string_view what() const override { return "a device that walks the tables says what the host says"; }
  void start(const sim::World& world, const sim::ImageLayout&) override {
    host_.start(world);
    device_.start(world);
    astray_ = false;
  }
  std::optional<sim::Violation> inspect(const sim::World& world) override {
    host_.follow(world);
    device_.follow(world);
    return std::nullopt;
  }
  // After a stray write the host's store is no longer what the call wrote.
  bool applies(const sim::Moment&) const override { return !astray_; }

  std::optional<sim::Violation> judge(sim::Moment& moment) override {
    astray_ = host_.write(moment).has_value();
    if (astray_) return std::nullopt;
    const ReaderVerdict host{unwritten(moment), host_.read(moment)};
    const ReaderVerdict device = device_.read(moment);
    if (host.first == device.first && host.unwritten == device.unwritten) return std::nullopt;
    const KvMisread& shown = host.first.what != MisreadKind::none ? host.first : device.first;
    sim::Violation violation;
    if (shown.what != MisreadKind::none) violation = violation_of(moment, shown);
    if (violation.place.text.empty()) violation.place.text = "the write slots";
    violation.expected = "as the host reads it: " + show(host);
    violation.got = "as the device reads it: " + show(device);
    violation.why = "a reader on a device meets what the host's reader meets";
    return violation;
  }

 private:
  HostReads host_;
  DeviceReads device_;
  bool astray_ = false;
};

}  // namespace

std::unique_ptr<sim::Law> readers_agree(DeviceReader& reader) { return std::make_unique<ReadersAgree>(reader); }

}  // namespace pagestorm::props
