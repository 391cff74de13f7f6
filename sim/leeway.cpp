#include "leeway.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <initializer_list>
#include <utility>

#include "text.hpp"

namespace pagestorm::sim {
namespace {

constexpr int most_plays = 40;

class Prober {
 public:
  Prober(const Scenario& scenario, const StillFails& still_fails) : scenario_(scenario), still_fails_(still_fails) {}

  /// Tries values of one field, which `place` finds in a scenario.
  template <class Place, class Value>
  void probe(std::string name, const Place& place, std::initializer_list<Value> values) {
    Scenario candidate = scenario_;
    const Value now = place(candidate);
    Leeway leeway{.field = std::move(name), .now = show(now)};
    for (const Value& value : values) {
      place(candidate) = value;
      if (value == now || !complaint(candidate.config).empty() || plays_ >= most_plays) continue;
      ++plays_;
      (still_fails_(candidate) ? leeway.fails : leeway.passes).push_back(show(value));
    }
    if (!leeway.fails.empty() || !leeway.passes.empty()) found_.push_back(std::move(leeway));
  }

  std::vector<Leeway> take() { return std::move(found_); }

 private:
  static std::string show(std::int64_t value) { return std::to_string(value); }
  static std::string show(bool value) { return value ? "on" : "off"; }

  const Scenario& scenario_;
  const StillFails& still_fails_;
  int plays_ = 0;
  std::vector<Leeway> found_;
};

}  // namespace

std::vector<Leeway> leeway_of(const Scenario& scenario, const StillFails& still_fails) {
  using Number = std::int64_t;
  Prober prober(scenario, still_fails);
  prober.probe("page_size", [](Scenario& s) -> Number& { return s.config.page_size; },
               {Number{1}, Number{2}, Number{3}, Number{16}});
  prober.probe("context", [](Scenario& s) -> Number& { return s.config.context; }, {Number{1}, Number{8}, Number{300}});
  prober.probe("pages", [](Scenario& s) -> Number& { return s.config.pages; }, {Number{8}, Number{200}});
  prober.probe("swa", [](Scenario& s) -> bool& { return s.config.swa; }, {false, true});
  prober.probe("cache", [](Scenario& s) -> bool& { return s.config.cache; }, {false, true});
  prober.probe("overlap", [](Scenario& s) -> bool& { return s.config.timing.overlap; }, {false, true});
  for (std::size_t i = 0; i < scenario.steps.size(); ++i)
    prober.probe(fmt::format("amount of step {}", i + 1), [i](Scenario& s) -> Number& { return s.steps[i].amount; },
                 {Number{0}, Number{1}, Number{2}, Number{5}, Number{20}});
  return prober.take();
}

std::string print(const std::vector<Leeway>& leeway) {
  std::string any, needs, partly;
  const auto add = [](std::string& to, const std::string& text) { to += (to.empty() ? "" : ", ") + text; };
  for (const Leeway& one : leeway) {
    if (one.passes.empty())
      add(any, one.field);
    else if (one.fails.empty())
      add(needs, one.field + " " + one.now);
    else
      add(partly, fmt::format("{} {} as well as {}, not {}", one.field, fmt::join(one.fails, " "), one.now,
                              fmt::join(one.passes, " ")));
  }
  std::string text;
  if (!any.empty()) text += "whatever the " + any;
  if (!needs.empty()) text += (text.empty() ? "" : "; ") + ("needs " + needs);
  if (!partly.empty()) text += (text.empty() ? "" : "; ") + partly;
  return text;
}

}  // namespace pagestorm::sim
