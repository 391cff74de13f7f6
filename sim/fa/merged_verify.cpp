#include "merged_verify.hpp"

#include "require.hpp"

namespace pagestorm::sim::fa {

std::vector<PrefixPart> whole_prefixes(std::span<const std::int64_t> lengths, std::int64_t draft_tokens) {
  require(draft_tokens > 0, "draft_tokens must be above 0, is {}", draft_tokens);
  std::vector<PrefixPart> parts;
  for (const std::int64_t length : lengths)
    parts.insert(parts.end(), static_cast<std::size_t>(draft_tokens), PrefixPart{0, length});
  return parts;
}

MergedVerify merge_verify(const Matrix<const std::int32_t>& prefix_slots, std::span<const PrefixPart> parts,
                          const VerifyExpand& expand) {
  const auto rows = static_cast<std::int64_t>(expand.slots.size());
  const auto given = static_cast<std::int64_t>(parts.size());
  require(given == rows, "there must be {} parts of prefixes, one a draft token, not {}", rows, given);
  require(prefix_slots.rows * expand.draft_tokens == rows, "{} rows of {} draft tokens do not give {} rows",
          prefix_slots.rows, expand.draft_tokens, rows);
  MergedVerify merged;
  for (std::int64_t m = 0; m < rows; ++m) {
    const auto [first, count] = parts[static_cast<std::size_t>(m)];
    require(first >= 0 && count >= 0, "part {} must begin at 0 or more and count 0 or more, is {} and {}", m, first,
            count);
    const std::int32_t* line = prefix_slots.data + m / expand.draft_tokens * prefix_slots.row_stride;
    auto& row = merged.slots.emplace_back();
    for (std::int64_t p = first; p < first + count; ++p)
      row.push_back(p < prefix_slots.cols ? line[p * prefix_slots.col_stride] : 0);
    const auto& drafts = expand.slots[static_cast<std::size_t>(m)];
    row.insert(row.end(), drafts.begin(), drafts.begin() + expand.cache_seqlens[static_cast<std::size_t>(m)]);
    merged.cache_seqlens.push_back(static_cast<std::int64_t>(row.size()));
  }
  merged.cu_seqlens_q = one_query_each(rows);
  merged.cu_seqlens_k = cu_seqlens(merged.cache_seqlens);
  return merged;
}

}  // namespace pagestorm::sim::fa
