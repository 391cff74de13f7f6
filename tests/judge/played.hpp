#pragma once
// Passes of drawn scenarios, built by a host builder, as jobs for the judge and as moments for the host's laws.

#include <array>
#include <memory>
#include <vector>

#include "host_judge.hpp"
#include "pagestorm/fault.hpp"
#include "props/laws.hpp"
#include "sim/rng.hpp"
#include "sim/scene.hpp"
#include "sim/swarm.hpp"

namespace pagestorm::judge {

using Laws = std::vector<std::unique_ptr<sim::Law>>;

inline Laws laws_on_images() {
  Laws laws;
  for (const props::LawEntry& entry : props::law_catalogue())
    for (const ImageLaw law : image_laws)
      if (name_of(law) == entry.name) laws.push_back(entry.make());
  return laws;
}

/// The faults of the catalogue that are a builder's, without those of the FlashAttention family.
inline std::vector<Fault> builder_faults() {
  std::vector<Fault> faults;
  for (const FaultEntry& entry : fault_catalogue())
    if (entry.site == FaultSite::builder && !needs_flash(entry.fault)) faults.push_back(entry.fault);
  return faults;
}

/// One scenario after another, pass by pass. Both judges look at the images of the scene.
class Played {
 public:
  explicit Played(Fault fault = Fault::none) : builder_(host_builders().front().make(fault)) {}

  sim::Scene scene;

  /// Far layouts are left out: their images do not fit a test.
  template <class Visit>
  void each_pass(std::uint64_t seed, std::uint64_t scenarios, const Visit& visit) {
    sim::Space space;
    space.far = false;
    for (std::uint64_t i = 0; i < scenarios; ++i) {
      const sim::Scenario scenario = sim::draw(sim::sub_seed(seed, i), space);
      scene.start(scenario.config);
      for (const sim::Step& step : scenario.steps)
        if (scene.apply(step) == sim::Outcome::batch) visit(job());
    }
  }

  /// The last pass.
  Job job() {
    const Pass pass = scene.pass(0);
    zone_ = scene.zone();
    const Seating seat = scene.seating();
    rows_.assign(pass.rows.begin(), pass.rows.end());
    return {.in = pass.batch,
            .image = seat.image,
            .first = reinterpret_cast<std::int32_t*>(scene.image(0)),
            .second = reinterpret_cast<std::int32_t*>(scene.image(1)),
            .write_slots = pass.write_slots,
            .rows = rows_.empty() ? nullptr : rows_.data(),
            .owned = seat.owned,
            .window = seat.window,
            .page_shift = page_shift_of(pass.batch.page_size)};
  }

  /// Judged words of the last pass, by the host.
  std::span<const Window> zone() const { return zone_; }

  void build(const Job& job) {
    poison_all(job);
    for (std::int32_t* words : {job.first, job.second}) {
      Call call;
      call.batch = job.in;
      call.out = bind(job.image, words, job.in.rows, job.write_slots);
      builder_->run(call);
    }
  }

  /// Bits of the laws that the host finds broken.
  std::uint32_t host_says() {
    std::uint32_t laws = 0;
    for (const sim::Violation& violation : scene.judge(laws_, *builder_, 0))
      for (const ImageLaw law : image_laws)
        if (name_of(law) == violation.law) laws |= static_cast<std::uint32_t>(law);
    return laws;
  }

 private:
  std::unique_ptr<Builder> builder_;
  Laws laws_ = laws_on_images();
  std::vector<RowTruth> rows_;
  std::span<const Window> zone_;
};

}  // namespace pagestorm::judge
