#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "host_memory.hpp"
#include "packets.hpp"
#include "pagestorm/call_memory.hpp"
#include "pagestorm/outside_builder.hpp"
#include "promise_of.hpp"
#include "talk.hpp"

namespace pagestorm {
namespace {

using outside::Patience;
using outside::Talk;
using Part = CallMemory::Part;

constexpr std::uint32_t inputs_region = 1;
constexpr std::uint32_t image_region = 2;

/// A builder in a process of its own, on memory that is shared with it. After a call in which the process was lost, the next
/// one finds a fresh one.
class Outside final : public Builder {
 public:
  Outside(std::string spec, std::vector<std::string> command, const OutsideLimits& limits)
      : spec_(std::move(spec)), command_(std::move(command)), limits_(limits) {
    start();
  }

  std::string_view name() const override { return name_; }
  Capabilities capabilities() const override { return capabilities_; }

  void enqueue(const Call& call) override {
    pending_ = call;
    changed_.assign(call.changed.begin(), call.changed.end());
    zone_.assign(call.zone.begin(), call.zone.end());
    captured_ = call.capture;
    if (captured_) capture(call);
  }
  using Builder::enqueue;

  void complete() override {
    if (!pending_) throw std::logic_error("complete: nothing is enqueued");
    const Call call = *std::exchange(pending_, std::nullopt);
    if (!captured_) place(call);
    memory_->carry_in(changed_, zone_);
    pagestorm_wire_call packet = outside::packet_of(call.batch, call.out, *memory_);
    if (captured_) packet.kind = PAGESTORM_WIRE_LAUNCH;
    try {
      ask(packet);
    } catch (const BuilderFailed& error) {
      if (error.how() == BuilderFailed::How::refused) memory_->carry_out(zone_);
      throw;
    }
    memory_->carry_out(zone_);
  }

  void hurry(bool on) override { hurried_ = on; }

 private:
  // Whatever a call does under a capture that it does not do without one, it may not do.
  void capture(const Call& call) {
    place(call);
    memory_->carry_in(changed_, zone_);
    pagestorm_wire_call packet = outside::packet_of(call.batch, call.out, *memory_);
    packet.kind = PAGESTORM_WIRE_CAPTURE;
    try {
      ask(packet);
    } catch (const BuilderFailed& error) {
      pending_.reset();
      if (error.how() != BuilderFailed::How::refused) throw;
      // What a capture that failed leaves of a library, nobody knows.
      talk_.reset();
      throw SyncInCapture(error.what());
    }
  }

  void start() {
    talk_.emplace(command_, spec_);
    const pagestorm_wire_hello hello = talk_->hello(limits_.hello_s);
    if (hello.abi_version != PAGESTORM_ABI_VERSION)
      throw BuilderError(
          fmt::format("{}: speaks version {} of the ABI, and this program version {}; compile it against "
                      "the pagestorm/abi.h of this program",
                      spec_, hello.abi_version, PAGESTORM_ABI_VERSION));
    const pagestorm_capabilities& declared = hello.capabilities;
    if (const std::string wrong = outside::complaint(declared); !wrong.empty())
      throw BuilderError(fmt::format("{}: capabilities: {}", spec_, wrong));
    const bool on_device = declared.device == PAGESTORM_CUDA;
    if (!memory_) memory_ = on_device ? device_memory() : std::make_unique<outside::HostMemory>();
    // A device driver maps far more than a builder uses.
    if (limits_.memory_bytes > 0 && !on_device) talk_->limit_memory(limits_.memory_bytes);
    name_ = declared.name;
    const bool captures = on_device && (declared.without & PAGESTORM_NO_CAPTURE) == 0;
    capabilities_ = {.device = on_device,
                     .captures = captures,
                     .ahead = captures,
                     .orders = false,
                     .mirrors = true,
                     .isolated = true,
                     .promise = outside::promise_of(declared)};
    inputs_known_ = image_known_ = false;
  }

  std::unique_ptr<CallMemory> device_memory() const {
    try {
      return device_call_memory();
    } catch (const BuilderError& error) {
      throw BuilderError(fmt::format("{}: wants memory of a device: {}", spec_, error.what()));
    }
  }

  // What came up once and does not come up again has failed in the call for which it should.
  void start_again() {
    try {
      start();
    } catch (const BuilderFailed&) {
      throw;
    } catch (const BuilderError& error) {
      throw BuilderFailed(BuilderFailed::How::crashed, fmt::format("did not come up again: {}", error.what()));
    }
  }

  void place(const Call& call) {
    const bool anew = generation_ != call.inputs_generation || !memory_->stands_for(Part::inputs, call.inputs);
    generation_ = call.inputs_generation;
    if (memory_->place(Part::inputs, call.inputs, anew)) inputs_known_ = false;
    if (memory_->place(Part::image, call.image, anew)) image_known_ = false;
  }

  void ask(const pagestorm_wire_call& packet) {
    try {
      if (!talk_) start_again();
      if (!std::exchange(inputs_known_, true)) talk_->share(inputs_region, *memory_, Part::inputs);
      if (!std::exchange(image_known_, true)) talk_->share(image_region, *memory_, Part::image);
      pagestorm_wire_call call = packet;
      call.inputs = inputs_region;
      call.image = image_region;
      const auto before = std::chrono::steady_clock::now();
      talk_->call(call, patience());
      slowest_s_ =
          std::max(slowest_s_, std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count());
    } catch (const BuilderFailed& error) {
      // Whoever answers that a call is refused is well, and takes the next one.
      if (error.how() != BuilderFailed::How::refused) talk_.reset();
      throw;
    } catch (const BuilderError&) {
      talk_.reset();
      throw;
    }
  }

  // In a hurry, what is known to be enough for good calls; a loaded machine makes a call wait, not work.
  Patience patience() const {
    if (!hurried_) return {limits_.work_s, limits_.wall_s};
    const double enough = 4 * slowest_s_;
    return {std::min(limits_.work_s, std::max(0.25, enough)), std::min(limits_.wall_s, std::max(0.5, enough)), true};
  }

  std::string spec_;
  std::vector<std::string> command_;
  OutsideLimits limits_;
  std::string name_;
  Capabilities capabilities_;
  std::optional<Talk> talk_;
  std::unique_ptr<CallMemory> memory_;  ///< where the builder wants it; kept when its process is another one
  bool inputs_known_ = false;           ///< to the process
  bool image_known_ = false;
  std::optional<std::uint64_t> generation_;
  std::optional<Call> pending_;
  bool captured_ = false;        ///< the pending call is enqueued in a graph
  std::vector<Window> changed_;  ///< of the pending call: the caller's lists may grow while contents still change
  std::vector<Window> zone_;
  double slowest_s_ = 0;  ///< of the calls that came back
  bool hurried_ = false;
};

bool is_library(std::string_view spec) { return spec.ends_with(".so"); }
bool is_served(std::string_view spec) { return is_library(spec) || spec.ends_with(".toml"); }

}  // namespace

bool is_outside(std::string_view spec) {
  return spec.find_first_of("/ \t") != std::string_view::npos || is_served(spec);
}

BuilderEntry outside_builder(const std::string& spec, const OutsideLimits& limits) {
  const bool served = is_served(spec) && spec.find_first_of(" \t") == std::string::npos;
  const std::vector<std::string> command = served ? outside::server_of(spec) : outside::words_of(spec);
  return {spec, "", [spec, command, limits](Fault fault) -> std::unique_ptr<Builder> {
            if (fault != Fault::none) throw BuilderError(spec + ": an outside builder has no faults to switch on");
            return std::make_unique<Outside>(spec, command, limits);
          }};
}

}  // namespace pagestorm
