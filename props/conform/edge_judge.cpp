#include "edge_judge.hpp"

#include <algorithm>

namespace pagestorm::props {
namespace {

using sim::Part;

bool is_table(Part part) { return part == Part::page_table || part == Part::swa_page_table; }

// Bits are about whatever is wrong elsewhere.
bool is_of_same_output(const Breach& odd, const Breach& ordinary) {
  const Part one = odd.violation.place.part;
  const Part other = ordinary.violation.place.part;
  return one == Part::status || one == other || (is_table(one) && is_table(other));
}

// Two images show what is written and what it is worth, and that the call came back. Reads, orders and build they do not.
bool is_shown(const ClauseEntry& entry) {
  if (entry.id == "C2.7") return true;
  const bool by_words = entry.laws.find("agrees_with_reference") != std::string_view::npos ||
                        entry.laws.find("writes_only_live_cells") != std::string_view::npos;
  return by_words && !entry.id.starts_with("C13.");
}

}  // namespace

std::vector<Breach> EdgeJudge::play(std::uint64_t seed, ClauseTally& tally) {
  pass_.draw(seed);
  if (pass_.excuse()) return {};
  ++given_;
  sim::Moment& moment = pass_.run();
  std::vector<Breach> breaches = breaches_of(moment);
  ClauseTally tried{};
  note_tried(moment, tried);
  if (!breaches.empty() && leave_out_ordinary(seed, breaches)) return breaches;
  for (std::size_t i = 0; i < clause_count; ++i)
    if (is_shown(clause_catalogue()[i])) tally[i] += tried[i];
  return breaches;
}

bool EdgeJudge::leave_out_ordinary(std::uint64_t seed, std::vector<Breach>& breaches) {
  constexpr std::uint64_t twins = 8;
  const std::size_t before = breaches.size();
  for (std::uint64_t twin = 1; twin <= twins && !breaches.empty(); ++twin) {
    pass_.draw(seed, twin);
    if (pass_.excuse()) continue;
    try {
      const std::vector<Breach> ordinary = breaches_of(pass_.run());
      std::erase_if(breaches, [&](const Breach& breach) {
        return std::ranges::any_of(ordinary, [&](const Breach& other) { return is_of_same_output(breach, other); });
      });
    } catch (const BuilderFailed&) {
      breaches.clear();
    }
  }
  return breaches.size() < before;
}

std::string EdgeJudge::describe(std::uint64_t seed) {
  pass_.draw(seed);
  return pass_.describe();
}

}  // namespace pagestorm::props
