#include <array>

#include "pagestorm/mutants.hpp"
#include "switch.hpp"

namespace pagestorm {
namespace {

#include "mutated/table.inc"

}  // namespace

std::span<const Mutant> mutants() { return table; }

std::span<const std::string_view> stray_arguments() { return stray; }

void switch_mutant(int number) { mutant::active = number; }

void survey_mutants(unsigned char* notes) { mutant::survey = notes; }

}  // namespace pagestorm
