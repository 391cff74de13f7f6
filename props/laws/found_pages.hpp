#pragma once
// What need not be read again, so that judging a pass costs pages and not tokens.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sim/engine/content.hpp"
#include "sim/engine/events.hpp"

namespace pagestorm::props {

/// What was found right in one request row, for one model. It still is as long as the page, what it holds and what belongs
/// there are the same.
class FoundPages {
 public:
  /// Positions [from, to).
  struct Range {
    std::int64_t from = 0;
    std::int64_t to = 0;
  };

  /// Nothing was found, and nothing is expected.
  void clear() {
    content_.clear();
    for (auto& columns : columns_) columns.clear();
  }

  /// What belongs there from now on; forgets where that is something else than before.
  void expect(const sim::Content& content, std::int64_t page_size) {
    const std::int64_t same = alike(content);
    if (same == content.end() && same == content_.end()) return;
    content_ = content;
    const auto first = static_cast<std::size_t>(same / page_size);
    for (auto& columns : columns_) {
      columns.resize(std::min(columns.size(), first + 1));
      if (columns.size() > first && columns[first].to > same) columns.pop_back();
    }
  }

  /// Whether the positions of `range`, all in one column, were found right in `page` at this version of it.
  bool has(sim::Pool pool, std::int64_t column, std::int32_t page, std::uint32_t version, Range range) const {
    const auto& columns = columns_[static_cast<std::size_t>(pool)];
    const auto at = static_cast<std::size_t>(column);
    if (at >= columns.size()) return false;
    const Column& known = columns[at];
    return known.page == page && known.version == version && known.from <= range.from && range.to <= known.to;
  }

  /// They were.
  void note(sim::Pool pool, std::int64_t column, std::int32_t page, std::uint32_t version, Range range) {
    auto& columns = columns_[static_cast<std::size_t>(pool)];
    const auto at = static_cast<std::size_t>(column);
    if (at >= columns.size()) columns.resize(at + 1);
    columns[at] = {page, version, static_cast<std::int32_t>(range.from), static_cast<std::int32_t>(range.to)};
  }

 private:
  struct Column {
    std::int32_t page = -1;
    std::uint32_t version = 0;
    std::int32_t from = 0;  ///< positions that were compared
    std::int32_t to = 0;
  };

  // Positions before this one are described alike.
  std::int64_t alike(const sim::Content& content) const {
    const auto [mine, theirs] = std::ranges::mismatch(content_.runs(), content.runs());
    return std::min(mine == content_.runs().end() ? content_.end() : mine->first,
                    theirs == content.runs().end() ? content.end() : theirs->first);
  }

  sim::Content content_;
  std::array<std::vector<Column>, 2> columns_;  ///< by pool
};

}  // namespace pagestorm::props
