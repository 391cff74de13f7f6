#include "arbitrary.hpp"

#include <fmt/format.h>

#include <charconv>
#include <ostream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "sim/text.hpp"

namespace pagestorm::props {
namespace {

constexpr std::uint64_t fixed_seed = 0x5eed2b9c1f0a7d31u;

}  // namespace

rc::Gen<sim::Scenario> scenarios(sim::Space space) {
  return [space = std::move(space)](const rc::Random& random, int) {
    const std::uint64_t seed = rc::Random(random).next();
    return rc::shrinkable::just(sim::draw(seed, space));
  };
}

std::optional<std::uint64_t> seed_of(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (hexadecimal) text.remove_prefix(2);
  std::uint64_t seed = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), seed, hexadecimal ? 16 : 10);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return seed;
}

std::string rapidcheck_params(const char* given, const char* wanted) {
  if (given != nullptr) return given;
  if (wanted == nullptr) return fmt::format("seed={}", fixed_seed);
  const auto seed = seed_of(wanted);
  if (!seed) throw std::invalid_argument(fmt::format("PAGESTORM_SEED: {} is no 64-bit number; use 7 or 0x7", wanted));
  return fmt::format("seed={}", *seed);
}

std::string announcement(std::string_view params) {
  constexpr std::string_view key = "seed=";
  const auto seed = params.starts_with(key) ? seed_of(params.substr(key.size())) : std::nullopt;
  return seed ? fmt::format("seed {:#018x}", *seed) : fmt::format("RC_PARAMS {}", params);
}

}  // namespace pagestorm::props

namespace pagestorm::sim {

void showValue(const Scenario& scenario, std::ostream& out) { out << print(Finding{.scenario = scenario}); }

}  // namespace pagestorm::sim

rc::Gen<pagestorm::sim::Scenario> rc::Arbitrary<pagestorm::sim::Scenario>::arbitrary() {
  return pagestorm::props::scenarios({});
}
