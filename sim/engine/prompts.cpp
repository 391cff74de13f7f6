#include "prompts.hpp"

#include <algorithm>
#include <cassert>

namespace pagestorm::sim {
namespace {

constexpr std::int64_t prompt_streams = std::int64_t{1} << 23;  // streams from here on are prompts'
constexpr std::int64_t block_streams = prompt_streams + prefix_blocks_end;
constexpr std::int64_t levels = 3;  // a family is a number of so many bits

}  // namespace

void append_prompt(Content& content, std::int64_t family, std::int64_t branch, std::int64_t tokens) {
  while (content.size() < tokens) {
    const std::int64_t level = std::min(content.size() / branch, levels);
    const std::int64_t alike = (family - 1) & ((1 << level) - 1);
    const std::int64_t end = level == levels ? tokens : std::min(tokens, (level + 1) * branch);
    content.append(end - content.size(),
                   base_of(static_cast<std::uint64_t>(prompt_streams + level * families + alike), 0));
  }
}

Content prompt_of_blocks(std::span<const std::int64_t> blocks, std::int64_t block_tokens, std::int64_t tokens) {
  assert(tokens <= static_cast<std::int64_t>(blocks.size()) * block_tokens);
  Content prompt;
  for (const std::int64_t id : blocks) {
    assert(id >= 0 && id < prefix_blocks_end);
    prompt.append(std::min(block_tokens, tokens - prompt.size()),
                  base_of(static_cast<std::uint64_t>(block_streams + id), 0));
  }
  return prompt;
}

std::uint64_t own_base(std::int64_t serial, std::int64_t version) {
  return base_of(static_cast<std::uint64_t>(1 + serial % (prompt_streams - 1)),
                 static_cast<std::uint64_t>(version & 0xffff));
}

std::int64_t owner_of(std::uint64_t id) {
  const auto stream = static_cast<std::int64_t>(id >> 40);
  return stream >= prompt_streams ? -1 : stream - 1;
}

std::int64_t position_of(std::uint64_t id) { return static_cast<std::int64_t>(id & 0xffffff); }

}  // namespace pagestorm::sim
