// Everything that decides a launch is known before the contents are: work is enqueued while the lengths are blank, and
// completed once they are there. On a GPU it is enqueued under a global-mode stream capture, where any sync fails.

#include "props/laws.hpp"
#include "sim/checks.hpp"
#include "sim/flash/checks.hpp"

namespace pagestorm::props {
namespace {

using sim::Moment;

class MetadataNeedsNoHostSync final : public sim::Law {
 public:
  std::string_view name() const override { return "metadata_needs_no_host_sync"; }
  std::string_view what() const override { return "enqueuing the work looks at no content of device memory"; }
  bool reruns() const override { return true; }

  bool forbids_sync_in_capture() const override { return true; }

  void start(const sim::World&, const sim::ImageLayout& layout) override { image_.prepare(layout); }

  bool applies(const Moment& moment) const override { return moment.builder().capabilities().ahead; }

  std::optional<sim::Violation> judge(Moment& moment) override {
    image_.poison(moment.layout(), moment.zone().judged(), Moment::first_poison);
    moment.inputs().blank_lengths();
    Call call = moment.call(image_, {});
    call.capture = moment.builder().capabilities().captures;
    moment.builder().enqueue(call);
    moment.inputs().stage(moment.forward());
    moment.builder().complete();
    moment.inputs().forget_changes();
    return sim::differs(moment, moment.zone(), moment.first(), image_, true,
                        "lengths that arrive after the work was enqueued count");
  }

  bool applies_to_flash(const sim::FlashMoment&) const override { return true; }
  std::optional<sim::Violation> judge_flash(sim::FlashMoment& moment) override {
    return sim::differs(moment, moment.first(), moment.rerun_ahead_of_lengths(), true,
                        "lengths that arrive after the work was enqueued count");
  }

 private:
  sim::Image image_;
};

}  // namespace

std::unique_ptr<sim::Law> metadata_needs_no_host_sync() { return std::make_unique<MetadataNeedsNoHostSync>(); }

}  // namespace pagestorm::props
