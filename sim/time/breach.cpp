#include "breach.hpp"

#include <fmt/format.h>

#include "time_line.hpp"

namespace pagestorm::sim::time {
namespace {

bool by_copy(const Queue& queue, const Hazard& hazard) {
  const auto copies = [&](std::int64_t number) {
    return number >= queue.first() && queue.operation(number).actor == Actor::copy;
  };
  return copies(hazard.earlier) || copies(hazard.later);
}

Breach of_a_row(const Hazard& hazard) {
  if (hazard.before.owner != hazard.after.owner) return Breach::reissue;
  return hazard.before.writes ? Breach::generation : Breach::reuse;
}

const char* reason(Breach breach) {
  switch (breach) {
    case Breach::reuse: return "what a forward pass reads must stay as it is until its last read is done";
    case Breach::generation: return "all that a forward pass uses must be of one generation";
    case Breach::host_copy: return "a copy reads and writes pinned memory when it runs, not when it is enqueued";
    case Breach::reissue: return "a row or page may serve a new request once the last pass that uses it is done";
    case Breach::sync:
      return "the host goes by lengths where it needs them only, and then by those that the device has";
  }
  return "";
}

const char* objection(Wrong wrong) {
  switch (wrong) {
    case Wrong::waits: return "the host waits for all that the scheduler's stream was given";
    case Wrong::absent: return "the host reads a length that nobody copies to it";
    case Wrong::behind: return "an older one: the last has not been copied to the host";
    case Wrong::unordered: break;
  }
  return "";
}

}  // namespace

Breach breach_of(const Queue& queue, const Hazard& hazard) {
  if (hazard.wrong != Wrong::unordered) return Breach::sync;
  switch (hazard.after.resource.kind) {
    case Kind::row: return of_a_row(hazard);
    case Kind::kv:
    case Kind::swa_kv:
      return hazard.after.writes && queue.operation(hazard.later).actor == Actor::load ? Breach::reissue
                                                                                       : Breach::generation;
    case Kind::map: return hazard.before.writes || hazard.before.again ? Breach::generation : Breach::reuse;
    case Kind::relay: return by_copy(queue, hazard) ? Breach::host_copy : Breach::generation;
    case Kind::staging:
    case Kind::mirror:
    case Kind::outputs: return Breach::host_copy;
    case Kind::table:
    case Kind::lengths: return Breach::generation;
  }
  return Breach::generation;
}

HazardText describe(const Queue& queue, const Hazard& hazard) {
  HazardText text{.why = reason(breach_of(queue, hazard)), .time_line = draw(queue, hazard)};
  if (hazard.wrong != Wrong::unordered) {
    text.place = name_of(queue, hazard.later);
    text.expected =
        hazard.wrong == Wrong::behind ? "the length that the device published last" : "a path that does without";
    text.got = objection(hazard.wrong);
    if (hazard.wrong == Wrong::waits) text.why = "what is declared free of syncs does not wait for the device";
    return text;
  }
  text.place = name_of(hazard.after.resource, hazard.after.span);
  text.expected = fmt::format("{} is done before {}", name_of(queue, hazard.earlier), name_of(queue, hazard.later));
  text.got = what_was_known(queue, hazard);
  if (const std::string seen = what_is_seen(queue, hazard); !seen.empty()) text.time_line += "\n\n  " + seen;
  return text;
}

}  // namespace pagestorm::sim::time
