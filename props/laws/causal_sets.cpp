#include "causal_sets.hpp"

#include <algorithm>

#include "sim/fa/draft_branches.hpp"
#include "sim/flash/draft_tree.hpp"
#include "sim/world.hpp"

namespace pagestorm::props {
namespace {

using sim::FlashMoment;
using sim::ForwardRow;

void add_range(CausalSet& set, std::int64_t from, std::int64_t to) {
  for (std::int64_t p = from; p < to; ++p) set.positions.push_back(p);
}

class Sets {
 public:
  explicit Sets(const FlashMoment& moment) : moment_(moment), config_(moment.world().config()) {}

  std::vector<CausalSet> all() {
    const auto& rows = moment_.forward().rows;
    std::int64_t expanded = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::size_t before = sets_.size();
      add(rows[r]);
      // What is not known of a row is how it is read, but not how many rows it becomes.
      for (std::size_t i = before; i < sets_.size(); ++i) {
        sets_[i].expanded = expanded++;
        sets_[i].row = static_cast<std::int64_t>(r);
        if (sets_[i].meant.empty()) sets_[i].meant = sets_[i].positions;
      }
      const bool told_the_truth = rows[r].request >= 0 && rows[r].odd == sim::Odd::none;
      if (hides_what_follows(rows[r])) return kept(before);
      if (!told_the_truth) sets_.erase(sets_.begin() + static_cast<std::ptrdiff_t>(before), sets_.end());
    }
    return sets_;
  }

 private:
  // Blocks after a row of an unknown number of blocks cannot be told apart; nor has a whole mask lines after those of a row
  // that is told to be longer than memory.
  bool hides_what_follows(const ForwardRow& row) const {
    if (moment_.ask().op == FlashOp::local_blocks) return row.odd != sim::Odd::none;
    const bool tree = moment_.ask().op == FlashOp::verify_expand || moment_.ask().op == FlashOp::merged_verify;
    return tree && config_.whole_mask && row.odd == sim::Odd::huge_length;
  }

  std::vector<CausalSet> kept(std::size_t count) const {
    return {sets_.begin(), sets_.begin() + static_cast<std::ptrdiff_t>(count)};
  }

  void add(const ForwardRow& row) {
    switch (moment_.ask().op) {
      case FlashOp::draft_expand: return add_branches(row);
      case FlashOp::verify_expand:
      case FlashOp::merged_verify: return add_tree(row);
      case FlashOp::local_blocks: return add_chunks(row);
      case FlashOp::prompt_window: return add_window(row);
      case FlashOp::encoder_table: return add_stretch(row, 0, encoder(row));
      case FlashOp::text_table: return add_stretch(row, encoder(row), row.length);
      case FlashOp::schedule: return add_stretch(row, 0, row.length);
    }
  }

  void add_branches(const ForwardRow& row) {
    const sim::fa::DraftShape shape{config_.page_size, config_.top_k, config_.draft_steps};
    const sim::fa::BranchLayout layout = sim::fa::branch_layout(row.committed, shape);
    for (std::int64_t branch = 0; branch < config_.top_k; ++branch) {
      CausalSet& set = sets_.emplace_back();
      const std::int64_t begin = layout.base + branch * layout.stride;
      add_range(set, begin, begin + layout.tail + moment_.forward().draft_step + 1);
      set.meant = set.positions;
      for (std::int64_t c = 0; c < layout.tail; ++c) set.meant[static_cast<std::size_t>(c)] = layout.base + c;
    }
  }

  void add_tree(const ForwardRow& row) {
    const sim::DraftTree tree = sim::draft_tree(row.tree, config_.draft_tokens, config_.top_k);
    const bool merged = moment_.ask().op == FlashOp::merged_verify;
    for (std::int64_t token = 0; token < config_.draft_tokens; ++token) {
      CausalSet& set = sets_.emplace_back();
      if (merged) add_range(set, 0, row.committed);
      const auto prefix = static_cast<std::ptrdiff_t>(set.positions.size());
      for (std::int64_t t = token; t >= 0; t = tree.parents[static_cast<std::size_t>(t)])
        set.positions.insert(set.positions.begin() + prefix, row.committed + t);
      const auto keys = static_cast<std::int64_t>(set.positions.size());
      if (merged && moment_.ask().swa && keys > config_.window)
        set.positions.erase(set.positions.begin(), set.positions.end() - config_.window);
    }
  }

  void add_chunks(const ForwardRow& row) {
    const std::int64_t chunk = config_.chunk_tokens();
    const std::int64_t end = row.request < 0 ? padded_keys(row) : row.first_write + row.writes - row.start;
    for (std::int64_t query = end - std::min(row.writes, end); query < end;) {
      CausalSet& set = sets_.emplace_back();
      const std::int64_t stop = std::min(end, (query / chunk + 1) * chunk);
      set.queries = stop - query;
      if (row.request >= 0) add_range(set, row.start + query / chunk * chunk, row.start + stop);
      query = stop;
    }
  }

  std::int64_t padded_keys(const ForwardRow& row) const {
    switch (moment_.forward().mode) {
      case Mode::draft_decode: return row.length + moment_.forward().draft_step + 1;
      case Mode::target_verify:
      case Mode::ragged_verify: return row.length + row.writes;
      default: return row.length;
    }
  }

  // An odd row may be told any length.
  void add_stretch(const ForwardRow& row, std::int64_t from, std::int64_t to) {
    CausalSet& set = sets_.emplace_back();
    if (row.odd == sim::Odd::none) add_range(set, from, to);
  }

  // The prompt of a request is what its encoder has read.
  static std::int64_t encoder(const ForwardRow& row) { return std::min(row.prompt, row.length); }

  void add_window(const ForwardRow& row) {
    CausalSet& set = sets_.emplace_back();
    const std::int64_t prompt = std::min(row.prompt, row.length);
    add_range(set, 0, prompt);
    add_range(set, std::max(prompt, row.length - config_.window), row.length);
  }

  const FlashMoment& moment_;
  const sim::Config& config_;
  std::vector<CausalSet> sets_;
};

}  // namespace

std::vector<CausalSet> causal_sets(const FlashMoment& moment) { return Sets(moment).all(); }

}  // namespace pagestorm::props
