#pragma once
// What the tokens of a request are. Costs follow how often the source of tokens changed, not how many there are.

#include <compare>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace pagestorm::sim {

/// Positions lie below this bound, so that a base leaves room for them.
inline constexpr std::int64_t position_end = std::int64_t{1} << 24;

/// The base of tokens that nobody knows: they equal nothing, not even each other.
inline constexpr std::uint64_t unknown_base = 0;

/// The base of version `version` (below 2^16) of stream `stream` (below 2^24). Only stream 0 version 0 is unknown.
constexpr std::uint64_t base_of(std::uint64_t stream, std::uint64_t version) { return stream << 40 | version << 24; }

/// Tokens from position `first` up to the next run. The id of the token at position p is base + p.
struct TokenRun {
  std::int64_t first = 0;
  std::uint64_t base = unknown_base;

  friend bool operator==(const TokenRun&, const TokenRun&) = default;
  friend bool operator<(const TokenRun& a, const TokenRun& b) {
    return std::tie(a.first, a.base) < std::tie(b.first, b.base);
  }
};

/// The tokens at the positions [first(), end()). Positions are absolute: a token's KV depends on where it stands.
class Content {
 public:
  Content() = default;

  /// No tokens; the next one will stand at position `first`.
  explicit Content(std::int64_t first) : first_(first), end_(first) {}

  std::int64_t first() const { return first_; }
  std::int64_t end() const { return end_; }
  std::int64_t size() const { return end_ - first_; }

  /// In order; no two neighbours have the same base.
  std::span<const TokenRun> runs() const { return runs_; }

  /// `count` more tokens of one base, 0 or more. Asserts that they stay below position_end.
  void append(std::int64_t count, std::uint64_t base);

  /// Keeps the first `size` tokens, or all if there are fewer.
  void truncate(std::int64_t size);

  /// No tokens again, from the same first position on.
  void clear() { truncate(0); }

  /// The id of the token at `position`; 0 where it is unknown or none stands there.
  std::uint64_t at(std::int64_t position) const;

  /// The base of the token at `position`; unknown_base where none stands there.
  std::uint64_t base_at(std::int64_t position) const;

  /// Tokens of one base.
  struct Stretch {
    std::uint64_t base = unknown_base;
    std::int64_t end = position_end;
  };

  /// The base of the token at `position`, and where the tokens of that base end; the defaults where none stands there.
  Stretch stretch_at(std::int64_t position) const;

  /// How many tokens from position 0 on are known, and the same in both.
  std::int64_t common_prefix(const Content& other) const { return common(other, 0, position_end); }

  /// How many tokens from position `from` on, before position `to`, are known and the same in both.
  std::int64_t common(const Content& other, std::int64_t from, std::int64_t to) const;

  /// How many tokens from first() on come before the first unknown one.
  std::int64_t known() const;

  /// The tokens at positions [from, to), at the positions where they are. Asserts that they are there.
  Content slice(std::int64_t from, std::int64_t to) const;

  /// How it compares with slice(from, to) of `whole`, in the order of `<`.
  std::strong_ordering compare(const Content& whole, std::int64_t from, std::int64_t to) const;

  /// Compares descriptions: contents that are described alike are equal, unknown tokens included. The order is total and
  /// means nothing.
  friend bool operator==(const Content&, const Content&) = default;
  friend bool operator<(const Content& a, const Content& b) {
    return std::tie(a.first_, a.end_, a.runs_) < std::tie(b.first_, b.end_, b.runs_);
  }

 private:
  std::size_t run_of(std::int64_t position) const;
  std::int64_t end_of(std::size_t run) const;

  std::int64_t first_ = 0;
  std::int64_t end_ = 0;
  std::vector<TokenRun> runs_;
};

}  // namespace pagestorm::sim
