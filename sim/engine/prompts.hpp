#pragma once
// What requests consist of: prompts that begin alike within and between families, and tokens that are a request's own.

#include <cstdint>
#include <span>

#include "content.hpp"

namespace pagestorm::sim {

inline constexpr std::int64_t families = 8;

/// The content of a prompt's positions from the end of `content` up to `tokens`. Prompts of one family (1 to 8) are
/// equal. All families agree on the first `branch` tokens, those of equal parity on the next `branch`, those that are
/// equal modulo 4 on the third.
void append_prompt(Content& content, std::int64_t family, std::int64_t branch, std::int64_t tokens);

/// Ids of prefix blocks lie below.
inline constexpr std::int64_t prefix_blocks_end = std::int64_t{1} << 22;

/// A prompt of `tokens` tokens, made of blocks of `block_tokens` each, the last one perhaps cut: blocks of one id (0 up
/// to prefix_blocks_end) are equal where they stand at the same place, and equal to nothing else. Asserts that there are
/// blocks enough.
Content prompt_of_blocks(std::span<const std::int64_t> blocks, std::int64_t block_tokens, std::int64_t tokens);

/// The content base of what request `serial` alone has, as its `version`-th attempt; 0 is the only one that is kept
/// without a verify.
std::uint64_t own_base(std::int64_t serial, std::int64_t version);

/// The serial of the request that a content id names, or -1 for a prompt's.
std::int64_t owner_of(std::uint64_t id);

/// The position that a content id names.
std::int64_t position_of(std::uint64_t id);

}  // namespace pagestorm::sim
