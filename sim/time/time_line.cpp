#include "time_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "execute.hpp"

namespace pagestorm::sim::time {
namespace {

std::string of_forward(const Operation& operation) {
  return operation.forward > 0 ? fmt::format(" of forward {}", operation.forward) : "";
}

/// The last operation of an actor up to `tick`; -1 when the queue has none.
std::int64_t at_tick(const Queue& queue, Actor actor, std::uint32_t tick) {
  for (std::int64_t number = queue.end(); number-- > queue.first();) {
    const Operation& operation = queue.operation(number);
    if (operation.actor == actor && operation.tick <= tick) return number;
  }
  return -1;
}

std::string touched(const Queue& queue, const Operation& operation, const Resource& resource) {
  bool reads = false;
  bool writes = false;
  for (const Access& access : queue.accesses(operation))
    if (access.resource == resource) (access.writes ? writes : reads) = true;
  if (!reads && !writes) return "";
  return writes ? "   writes it" : "   reads it";
}

std::string draw_wait(const Queue& queue, const Waited& waited) {
  const Event& event = waited.event;
  const std::string behind = event.operation < queue.first() ? "" : fmt::format(" behind {}", event.operation);
  return fmt::format("         {:<9} waits for {} ({}{})", time::name_of(waited.actor), event.name,
                     time::name_of(event.actor), behind);
}

std::string draw_operation(const Queue& queue, std::int64_t number, const Hazard& hazard) {
  const Operation& operation = queue.operation(number);
  const bool one_of_two = number == hazard.earlier || number == hazard.later;
  const std::string what = fmt::format("{}{}", operation.name, of_forward(operation));
  return fmt::format("  {} {:>4} {:<9} {:<38}{}", one_of_two ? ">" : " ", number, time::name_of(operation.actor), what,
                     hazard.wrong != Wrong::unordered ? "" : touched(queue, operation, hazard.after.resource));
}

}  // namespace

std::string name_of(const Queue& queue, std::int64_t number) {
  if (number < queue.first()) return "an earlier operation";
  const Operation& operation = queue.operation(number);
  return fmt::format("'{}'{} ({})", operation.name, of_forward(operation), time::name_of(operation.actor));
}

std::string what_was_known(const Queue& queue, const Hazard& hazard) {
  const Operation& later = queue.operation(hazard.later);
  if (hazard.earlier < queue.first()) return "nothing orders them";
  const Operation& earlier = queue.operation(hazard.earlier);
  const auto who = time::name_of(later.actor);
  const auto of = time::name_of(earlier.actor);
  const std::string missing =
      fmt::format("; missing: an event of {} behind '{}', waited for by {}", of, earlier.name, who);
  const std::uint32_t known = later.clock[earlier.actor];
  const std::int64_t last = known == 0 ? -1 : at_tick(queue, earlier.actor, known);
  if (last < 0) return fmt::format("nothing orders them: {} has waited for nothing of {}{}", who, of, missing);
  std::string event;
  for (const Waited& waited : queue.waits())
    if (waited.before <= hazard.later && waited.event.actor == earlier.actor &&
        waited.event.clock[earlier.actor] == known)
      event = fmt::format("'{}', recorded behind ", waited.event.name);
  return fmt::format("nothing orders them: the last that {} knows of {} is {}{}{}", who, of, event,
                     name_of(queue, last), missing);
}

std::string what_is_seen(const Queue& queue, const Hazard& hazard) {
  if (hazard.earlier < queue.first()) return "";
  const std::int64_t reader = hazard.before.writes ? hazard.later : hazard.earlier;
  // Stretched, a read is torn; delayed, it is plainly wrong.
  for (const Order& order :
       {Order{.pace = Pace::early, .stretched = hazard.earlier}, Order{.pace = Pace::early, .delayed = hazard.earlier}})
    for (const Sight& sight : execute(queue, order)) {
      if (sight.operation != reader || sight.access.resource != hazard.after.resource) continue;
      const std::string who = fmt::format("with {} held back, {} reads", name_of(queue, hazard.earlier),
                                          reader == hazard.earlier ? "it" : name_of(queue, reader));
      return who + " " + show(sight);
    }
  return "";
}

std::string draw(const Queue& queue, const Hazard& hazard) {
  constexpr std::int64_t before = 2;
  constexpr std::size_t most = 24;
  const std::int64_t from = hazard.earlier < queue.first() ? hazard.later - 8 : hazard.earlier - before;
  std::vector<std::string> lines;
  for (std::int64_t number = std::max(from, queue.first()); number <= hazard.later; ++number) {
    for (const Waited& waited : queue.waits())
      if (waited.before == number) lines.push_back(draw_wait(queue, waited));
    lines.push_back(draw_operation(queue, number, hazard));
  }
  std::string text = "  in the order of the queue";
  for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines.size() > most && i == most / 2) {
      i = lines.size() - most / 2;
      text += "\n         ...";
    }
    text += "\n" + lines[i];
  }
  return text;
}

}  // namespace pagestorm::sim::time
