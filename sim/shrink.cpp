#include "shrink.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "shrink_canon.hpp"
#include "shrink_together.hpp"
#include "text.hpp"

namespace pagestorm::sim {
namespace {

class Shrinker {
 public:
  Shrinker(const Scenario& scenario, const StillFails& still_fails, std::int64_t budget)
      : best_(scenario), still_fails_(still_fails), budget_(budget) {}

  Shrunk run() {
    lower_all();
    begin_anew();
    return {best_, tries_};
  }

 private:
  void lower_all() {
    bool smaller = true;
    while (smaller && tries_ < budget_) {
      smaller = lower_together();
      smaller = remove_steps() || smaller;
      smaller = simplify_layout() || smaller;
      smaller = simplify_config() || smaller;
      smaller = simplify_steps() || smaller;
      smaller = smaller || keep_first_failing(fewer_with_help(best_));
    }
  }

  /// From the first small scenario that fails: seeds that began elsewhere end in the same one.
  void begin_anew() {
    constexpr std::int64_t tries_most = 3000;
    const std::int64_t before = tries_;
    const Scenario like = best_;
    const auto missed = [&](const Scenario& candidate) {
      return tries_ - before < tries_most && !keep_if_failing(candidate);
    };
    visit_small(like, static_cast<std::int64_t>(like.steps.size()), missed);
    if (best_ != like) lower_all();
  }

  bool keep_if_failing(Scenario candidate) {
    if (tries_ >= budget_ || candidate == best_ || !complaint(candidate.config).empty()) return false;
    ++tries_;
    if (!still_fails_(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  /// Tries one change to a copy of the best.
  template <class Change>
  bool change(Change&& apply) {
    Scenario candidate = best_;
    apply(candidate);
    return keep_if_failing(std::move(candidate));
  }

  /// Lowers a number towards `floor`, by as much as possible at a time.
  template <class Field>
  bool lower(Field&& field, std::int64_t floor) {
    bool any = false;
    while (field(best_) > floor) {
      const std::int64_t now = field(best_);
      bool lowered = change([&](Scenario& s) { field(s) = floor; });
      for (std::int64_t cut = (now - floor) / 2; !lowered && cut > 0; cut /= 2)
        lowered = change([&](Scenario& s) { field(s) = now - cut; });
      if (!lowered) break;
      any = true;
    }
    return any;
  }

  bool keep_first_failing(const std::vector<Scenario>& candidates) {
    return std::any_of(candidates.begin(), candidates.end(),
                       [this](const Scenario& candidate) { return keep_if_failing(candidate); });
  }

  bool lower_together() {
    bool any = false;
    while (keep_first_failing(smaller_together(best_))) any = true;
    return any;
  }

  template <class Field, class Value>
  bool set(Field&& field, const Value& value) {
    return change([&](Scenario& s) { field(s) = value; });
  }

  bool remove_steps() {
    bool any = false;
    for (std::size_t chunk = std::max<std::size_t>(1, best_.steps.size() / 2); chunk > 0; chunk /= 2)
      for (std::size_t end = best_.steps.size(); end > 0; end = end > chunk ? end - chunk : 0) {
        if (end > best_.steps.size()) continue;
        const std::size_t first = end > chunk ? end - chunk : 0;
        any = change([&](Scenario& s) {
                s.steps.erase(s.steps.begin() + static_cast<std::ptrdiff_t>(first),
                              s.steps.begin() + static_cast<std::ptrdiff_t>(end));
              }) ||
              any;
      }
    return any;
  }

  bool simplify_layout() {
    bool any = change([](Scenario& s) { s.config.layout = Layout{}; });
    const auto layout = [&](auto member) {
      any = set(
                [member](Scenario & s) -> auto& { return s.config.layout.*member; }, Layout{}.*member) ||
            any;
    };
    layout(&Layout::far);
    layout(&Layout::index_type);
    layout(&Layout::length_type);
    layout(&Layout::location_type);
    layout(&Layout::map_type);
    layout(&Layout::write_room);
    layout(&Layout::sweep);
    for (const auto member : {&Layout::input_stride, &Layout::output_stride, &Layout::slots_stride,
                              &Layout::slots_padding, &Layout::table_stride, &Layout::table_padding,
                              &Layout::swa_table_stride, &Layout::swa_table_padding, &Layout::write_room})
      any = lower(
                [member](Scenario & s) -> auto& { return s.config.layout.*member; }, Layout{}.*member) ||
            any;
    return any;
  }

  bool simplify_timing() {
    bool any = change([](Scenario& s) { s.config.timing = Timing{}; });
    if (!best_.config.timing.overlap) return any;
    const auto timing = [&](auto member) {
      any = set(
                [member](Scenario & s) -> auto& { return s.config.timing.*member; }, Timing{}.*member) ||
            any;
    };
    timing(&Timing::tables);
    timing(&Timing::read_end);
    timing(&Timing::graph_events);
    timing(&Timing::slots);
    timing(&Timing::plan_stream);
    timing(&Timing::barrier);
    timing(&Timing::staging_reused);
    timing(&Timing::algorithm);
    timing(&Timing::host_bound);
    return lower(
               [](Scenario & s) -> auto& { return s.config.timing.lag; }, 1) ||
           any;
  }

  bool simplify_family() {
    if (!best_.config.flash) return false;
    bool any = change([](Scenario& s) {
      s.config.flash = s.config.whole_mask = false;
      s.config.top_k = 1;
      s.config.chunk = 0;
    });
    any = change([](Scenario& s) { s.config.whole_mask = false; }) || any;
    any = change([](Scenario& s) { s.config.chunk = 0; }) || any;
    any = lower(
              [](Scenario & s) -> auto& { return s.config.chunk; }, 1) ||
          any;
    return lower(
               [](Scenario & s) -> auto& { return s.config.top_k; }, 1) ||
           any;
  }

  bool simplify_config() {
    bool any = simplify_timing();
    for (bool Config::*flag : {&Config::swa, &Config::cache, &Config::retract})
      any = change([flag](Scenario& s) { s.config.*flag = false; }) || any;
    any = change([](Scenario& s) { s.config.buckets.clear(); }) || any;
    any = simplify_family() || any;
    for (std::size_t i = best_.config.buckets.size(); i-- > 0;)
      any = change([&](Scenario& s) {
              s.config.buckets.erase(s.config.buckets.begin() + static_cast<std::ptrdiff_t>(i));
            }) ||
            any;
    for (std::size_t i = 0; i < best_.config.buckets.size(); ++i)
      any = lower(
                [i](Scenario & s) -> auto& { return s.config.buckets[i]; }, 1) ||
            any;
    const auto number = [&](std::int64_t Config::*member, std::int64_t floor) {
      any = lower(
                [member](Scenario & s) -> auto& { return s.config.*member; }, floor) ||
            any;
    };
    // A table without columns explains nothing, unless it is the point.
    for (auto member :
         {&Config::page_size, &Config::context, &Config::requests, &Config::draft_tokens, &Config::draft_steps})
      number(member, 1);
    number(&Config::block_window, 0);
    number(&Config::pages, 1);
    const auto plain = [&](std::int64_t Config::*member) {
      any = set(
                [member](Scenario & s) -> auto& { return s.config.*member; }, Config{}.*member) ||
            any;
    };
    if (best_.config.swa) {
      number(&Config::window, 1);
      number(&Config::swa_pages, 1);
    } else {
      plain(&Config::window);
      plain(&Config::swa_pages);
    }
    if (best_.config.cache)
      number(&Config::branch, 1);
    else
      plain(&Config::branch);
    any = set(
              [](Scenario & s) -> auto& { return s.config.pool_seed; }, std::uint64_t{0}) ||
          any;
    return any;
  }

  /// A step that makes somebody go, for want of pages, says less than one that does nothing else.
  bool retract_plainly(std::size_t at) {
    const StepKind kind = best_.steps[at].kind;
    if (!best_.config.retract || kind == StepKind::admit || kind == StepKind::retract) return false;
    const auto retract = [&](std::int64_t who) {
      return change([&](Scenario& s) { s.steps[at] = Step{.kind = StepKind::retract, .who = who}; });
    };
    return retract(0) || retract(1);
  }

  /// A plainer kind of step in its place: with nothing else, or with all that it says.
  bool take_plainer_kind(std::size_t at) {
    const StepKind now = best_.steps[at].kind;
    for (const StepKind kind : plainer_kinds(now)) {
      if (kind == now) return false;
      if (change([&](Scenario& s) { s.steps[at] = Step{.kind = kind}; })) return true;
      if (change([&](Scenario& s) { s.steps[at].kind = kind; })) return true;
    }
    return false;
  }

  bool simplify_steps() {
    bool any = false;
    for (std::size_t i = 0; i < best_.steps.size(); ++i) {
      any = retract_plainly(i) || any;
      any = take_plainer_kind(i) || any;
      const auto number = [&](std::int64_t Step::*member, std::int64_t floor) {
        any = lower(
                  [ i, member ](Scenario & s) -> auto& { return s.steps[i].*member; }, floor) ||
              any;
      };
      any = set(
                [i](Scenario & s) -> auto& { return s.steps[i].odd; }, Odd::none) ||
            any;
      any = set(
                [i](Scenario & s) -> auto& { return s.steps[i].eager; }, false) ||
            any;
      const auto rows = [i](Scenario & s) -> auto& { return s.steps[i].rows; };
      any = set(rows, std::int64_t{1}) || any;
      any = (best_.steps[i].rows > 1 && set(rows, std::int64_t{0})) || any;  // all of them
      number(&Step::who, 0);
      number(&Step::family, 0);
      number(&Step::odd_row, 0);
      number(&Step::amount, 0);
    }
    return any;
  }

  Scenario best_;
  const StillFails& still_fails_;
  std::int64_t budget_;
  std::int64_t tries_ = 0;
};

}  // namespace

Shrunk shrink(const Scenario& scenario, const StillFails& still_fails, std::int64_t budget) {
  return Shrinker(scenario, still_fails, budget).run();
}

}  // namespace pagestorm::sim
