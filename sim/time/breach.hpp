#pragma once
// What kind of promise a hazard breaks, and how it is told to people.

#include <cstdint>
#include <string>

#include "queue.hpp"

namespace pagestorm::sim::time {

enum class Breach : std::uint8_t {
  reuse,       ///< the scheduler writes what a forward pass may still have to read
  generation,  ///< a forward pass may use what was not, or no longer, there for it
  host_copy,   ///< pinned memory is touched before the copy from or to it is done
  reissue,     ///< a row or page is used for a new request while the last one's forward pass may use it
  sync,        ///< a path that is to do without waits for the device, or reads what is not there
};

Breach breach_of(const Queue& queue, const Hazard& hazard);

/// A hazard in words.
struct HazardText {
  std::string place;     ///< what is touched
  std::string expected;  ///< who should have waited for whom
  std::string got;       ///< what there is instead
  std::string why;
  std::string time_line;  ///< the operations in question, in the order of the queue; no line end after the last line
};

HazardText describe(const Queue& queue, const Hazard& hazard);

}  // namespace pagestorm::sim::time
