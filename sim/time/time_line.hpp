#pragma once
// Queued work around a hazard, drawn for people.

#include <string>

#include "queue.hpp"

namespace pagestorm::sim::time {

/// "'layers' of forward 2 (forward)"; "an earlier operation" for one that the queue has dropped.
std::string name_of(const Queue& queue, std::int64_t number);

/// What the later operation's actor knew of the earlier's when it ran, and from which event, and the event that is
/// missing.
std::string what_was_known(const Queue& queue, const Hazard& hazard);

/// What a read sees when the earlier operation of a hazard is held back as long as the order allows; empty when no read
/// sees anything wrong.
std::string what_is_seen(const Queue& queue, const Hazard& hazard);

/// The operations from shortly before the earlier to the later one, a line each, with what was waited for in between;
/// the two of the hazard are marked. No line end after the last line.
std::string draw(const Queue& queue, const Hazard& hazard);

}  // namespace pagestorm::sim::time
