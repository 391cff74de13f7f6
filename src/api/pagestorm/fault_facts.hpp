#pragma once
// What is known of a fault besides its name: of which class it is, what it re-creates, and where it changes nothing.

#include <cstdint>
#include <span>
#include <string_view>

#include "pagestorm/fault.hpp"

namespace pagestorm {

/// Families of bugs in page tables and the engines around them.
enum class FaultClass : std::uint8_t {
  unclassed,        ///< nobody has said yet
  bounds,           ///< more is used than there is room for
  off_by_one,       ///< a limit, a window or an element too many or too few
  stale_buffer,     ///< what an earlier pass left is taken for this one's
  padded_row,       ///< rows that only fill up a batch are not inert
  swa_translation,  ///< pages of the full pool and of the SWA pool are confused
  swa_eviction,     ///< what leaves the window, when, and what still names it
  allocation,       ///< pages are lost, freed twice, or too few
  speculation,      ///< drafted, accepted and rejected tokens are miscounted
  overflow,         ///< a product that needs 64 bits
  stride,           ///< tokens for pages, one page size for another, one stride for another
  sharing,          ///< pages that the prefix cache has, too
  order,            ///< the result depends on who comes first
  host_sync,        ///< the host looks at what the device has not computed yet
  type,             ///< what a type cannot hold, or is read as
  configuration,    ///< one worker's settings are another's
};

/// "stale buffer", "SWA eviction" and so on.
std::string_view name_of(FaultClass kind);

/// What is known of one fault. The defaults say that nothing is.
struct FaultFacts {
  Fault fault = Fault::none;
  FaultClass kind = FaultClass::unclassed;
  std::string_view re_creates;  ///< files of tests/corpus, without their suffix, by spaces: a project and a number each
  std::string_view no_fault_if;  ///< where it does nothing wrong: "pages hold one token"
};

/// What is known of a fault; the defaults where nobody has written anything down.
FaultFacts fault_facts(Fault fault);

/// All that was written down.
std::span<const FaultFacts> fault_fact_list();

}  // namespace pagestorm
