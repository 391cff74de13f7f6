#include "names.hpp"

#include <algorithm>
#include <cstddef>

namespace pagestorm::sim {
namespace {

template <class E>
std::string_view look_up(E value) {
  const auto index = static_cast<std::size_t>(value);
  return index < names<E>.size() ? names<E>[index] : "?";
}

template <class E>
bool look_up(std::string_view name, E& value) {
  const auto found = std::find(names<E>.begin(), names<E>.end(), name);
  if (found == names<E>.end()) return false;
  value = static_cast<E>(found - names<E>.begin());
  return true;
}

}  // namespace

std::string_view name_of(StepKind kind) { return look_up(kind); }
std::string_view name_of(Odd odd) { return look_up(odd); }
std::string_view name_of(Far far) { return look_up(far); }
std::string_view name_of(Mode mode) { return look_up(mode); }
std::string_view name_of(IntType type) { return look_up(type); }
std::string_view name_of(ReadEnd end) { return look_up(end); }
std::string_view name_of(Tables tables) { return look_up(tables); }
std::string_view name_of(Barrier barrier) { return look_up(barrier); }
std::string_view name_of(Algorithm algorithm) { return look_up(algorithm); }

bool by_name(std::string_view name, StepKind& kind) { return look_up(name, kind); }
bool by_name(std::string_view name, Odd& odd) { return look_up(name, odd); }
bool by_name(std::string_view name, Far& far) { return look_up(name, far); }
bool by_name(std::string_view name, Mode& mode) { return look_up(name, mode); }
bool by_name(std::string_view name, IntType& type) { return look_up(name, type); }
bool by_name(std::string_view name, ReadEnd& end) { return look_up(name, end); }
bool by_name(std::string_view name, Tables& tables) { return look_up(name, tables); }
bool by_name(std::string_view name, Barrier& barrier) { return look_up(name, barrier); }
bool by_name(std::string_view name, Algorithm& algorithm) { return look_up(name, algorithm); }

bool has_batch(StepKind kind) {
  switch (kind) {
    case StepKind::extend:
    case StepKind::decode:
    case StepKind::draft:
    case StepKind::verify:
    case StepKind::block:
    case StepKind::ragged:
    case StepKind::draft_extend:
    case StepKind::idle: return true;
    case StepKind::admit:
    case StepKind::evict:
    case StepKind::finish:
    case StepKind::puncture:
    case StepKind::arrive:
    case StepKind::share:
    case StepKind::reclaim:
    case StepKind::tombstone:
    case StepKind::retract:
    case StepKind::readmit: return false;
  }
  return false;
}

}  // namespace pagestorm::sim
