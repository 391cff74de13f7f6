#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "packets.hpp"
#include "pagestorm/outside_builder.hpp"
#include "promise_of.hpp"
#include "share.hpp"
#include "talk.hpp"

namespace pagestorm {
namespace {

using outside::Patience;
using outside::Share;
using outside::Talk;

constexpr std::uint32_t inputs_region = 1;
constexpr std::uint32_t image_region = 2;

/// A builder in a process of its own, on memory that is shared with it. After a call that failed, the next one finds a
/// fresh process.
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
  }
  using Builder::enqueue;

  void complete() override {
    if (!pending_) throw std::logic_error("complete: nothing is enqueued");
    const Call call = *std::exchange(pending_, std::nullopt);
    place(call);
    inputs_.carry_in(changed_);
    image_.carry_in(zone_);
    ask(outside::packet_of(call.batch, call.out, inputs_, image_, PAGESTORM_HOST));
    image_.carry_out(zone_);
  }

  void hurry(bool on) override { hurried_ = on; }

 private:
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
    if (declared.device != PAGESTORM_HOST)
      throw BuilderError(fmt::format(
          "{}: capabilities: device: only host memory can be shared with an outside builder; declare PAGESTORM_HOST",
          spec_));
    if (limits_.memory_bytes > 0) talk_->limit_memory(limits_.memory_bytes);
    name_ = declared.name;
    capabilities_ = {.orders = false, .mirrors = true, .promise = outside::promise_of(declared)};
    inputs_known_ = image_known_ = false;
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
    const bool anew = generation_ != call.inputs_generation || !inputs_.stands_for(call.inputs);
    generation_ = call.inputs_generation;
    if (inputs_.place(call.inputs, anew)) inputs_known_ = false;
    if (image_.place(call.image, anew)) image_known_ = false;
  }

  void ask(const pagestorm_wire_call& packet) {
    try {
      if (!talk_) start_again();
      if (!std::exchange(inputs_known_, true)) talk_->share(inputs_region, inputs_);
      if (!std::exchange(image_known_, true)) talk_->share(image_region, image_);
      pagestorm_wire_call call = packet;
      call.inputs = inputs_region;
      call.image = image_region;
      const auto before = std::chrono::steady_clock::now();
      talk_->call(call, patience());
      slowest_s_ =
          std::max(slowest_s_, std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count());
    } catch (const BuilderError&) {
      talk_.reset();
      throw;
    }
  }

  // In a hurry, what is known to be enough for good calls; a loaded machine makes a call wait, not work.
  Patience patience() const {
    if (!hurried_) return {limits_.work_s, limits_.wall_s};
    const double enough = 4 * slowest_s_;
    return {std::min(limits_.work_s, std::max(0.25, enough)), std::min(limits_.wall_s, std::max(1.0, enough))};
  }

  std::string spec_;
  std::vector<std::string> command_;
  OutsideLimits limits_;
  std::string name_;
  Capabilities capabilities_;
  std::optional<Talk> talk_;
  Share inputs_{true};
  Share image_{false};
  bool inputs_known_ = false;  ///< to the process
  bool image_known_ = false;
  std::optional<std::uint64_t> generation_;
  std::optional<Call> pending_;
  std::vector<Window> changed_;  ///< of the pending call: the caller's lists may grow while contents still change
  std::vector<Window> zone_;
  double slowest_s_ = 0;  ///< of the calls that came back
  bool hurried_ = false;
};

bool is_library(std::string_view spec) { return spec.ends_with(".so"); }

}  // namespace

bool is_outside(std::string_view spec) {
  return spec.find_first_of("/ \t") != std::string_view::npos || is_library(spec);
}

BuilderEntry outside_builder(const std::string& spec, const OutsideLimits& limits) {
  const bool library = is_library(spec) && spec.find_first_of(" \t") == std::string::npos;
  const std::vector<std::string> command = library ? outside::server_of(spec) : outside::words_of(spec);
  return {spec, "", [spec, command, limits](Fault fault) -> std::unique_ptr<Builder> {
            if (fault != Fault::none) throw BuilderError(spec + ": an outside builder has no faults to switch on");
            return std::make_unique<Outside>(spec, command, limits);
          }};
}

}  // namespace pagestorm
