#pragma once
// Generated mutants of src/core: one expression of it changed, switched on by number at run time.

#include <span>
#include <string_view>
#include <vector>

#include "pagestorm/builder.hpp"

namespace pagestorm {

/// One change of one expression.
struct Mutant {
  std::string_view file;  ///< of src/core
  int line = 0;
  std::string_view function;  ///< or the struct, outside of functions
  std::string_view original;  ///< the line as it is
  std::string_view mutated;   ///< and as it is with this change
  std::string_view argument;  ///< why no result can differ; empty where one must
};

/// Whether a mutant is one of the FlashAttention family's bodies, which `apply` and `build` do not run.
constexpr bool is_flash(const Mutant& mutant) { return mutant.file.starts_with("flash_"); }

/// All mutants of this build, those of the family last. The first has number 1.
std::span<const Mutant> mutants();

/// Arguments that speak of no mutant, as "file function: mutated line".
std::span<const std::string_view> stray_arguments();

/// Switches a mutant on, in this process; 0 = none.
void switch_mutant(int number);

/// From now on notes which mutants' expressions would have had another value: element n of `notes` becomes 1 for mutant
/// n. `notes` has a place more than there are mutants; null ends the survey. No mutant may be on.
void survey_mutants(unsigned char* notes);

/// Builders of the mutated copy of src/core, one for each way through it: mutant-plain, mutant-batched, mutant-regions
/// and mutant-cells. Each has the operations of the FlashAttention family, too; there is one way through those. None of them has a fault but the mutant that is on.
std::vector<BuilderEntry> mutant_builders();

}  // namespace pagestorm
