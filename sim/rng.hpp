#pragma once
// Chance with an address: one 64-bit seed, the same sequence on every compiler and machine.

#include <cstdint>
#include <span>
#include <string_view>

namespace pagestorm::sim {

/// The finaliser of splitmix64: a bijection that scatters its input.
constexpr std::uint64_t scatter(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The seed of part `index` of whatever `seed` seeds; parts are independent of each other.
constexpr std::uint64_t sub_seed(std::uint64_t seed, std::uint64_t index) {
  return scatter(seed + 0x9e3779b97f4a7c15u * (index + 1));
}

__extension__ using Wide = unsigned __int128;

/// splitmix64 (Steele, Lea, Flood 2014).
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() { return scatter(state_ += 0x9e3779b97f4a7c15u); }

  /// Uniform in [0, bound), to within 2^-64 x bound; 0 when bound is 0.
  std::uint64_t below(std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<Wide>(next()) * bound) >> 64);
  }

  /// Uniform in [low, high]; `low` when the range is empty.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return high <= low ? low : low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
  }

  /// True once in `n` times.
  bool one_in(std::uint64_t n) { return below(n) == 0; }

  template <class T>
  const T& pick(std::span<const T> from) {
    return from[below(from.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace pagestorm::sim
