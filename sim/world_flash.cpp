// How the world drafts in branches and verifies trees, as engines do for backends of the FlashAttention family.

#include <algorithm>

#include "engine/prompts.hpp"
#include "fa/draft_branches.hpp"
#include "flash/draft_tree.hpp"
#include "pagestorm/ids.hpp"
#include "world.hpp"

namespace pagestorm::sim {
namespace {

// One token of a content exchanged, whatever stands behind it.
void put_at(Content& content, std::int64_t position, std::uint64_t base) {
  const Content rest =
      position + 1 < content.end() ? content.slice(position + 1, content.end()) : Content(position + 1);
  content.truncate(std::min(position, content.end()));
  content.append(position - content.end(), unknown_base);
  content.append(1, base);
  for (std::size_t i = 0; i < rest.runs().size(); ++i) {
    const std::int64_t last = i + 1 < rest.runs().size() ? rest.runs()[i + 1].first : rest.end();
    content.append(last - rest.runs()[i].first, rest.runs()[i].base);
  }
}

fa::DraftShape shape_of(const Config& config) { return {config.page_size, config.top_k, config.draft_steps}; }

}  // namespace

// With branches the main tables are those of the prefix: as many queries as there are expanded rows read all of it. A draft
// of one branch is a chain, whose main tables are those of any other.
void World::take_family(const Step& step) {
  const bool drafts = step.kind == StepKind::draft;
  if (!drafts && step.kind != StepKind::verify) return;
  forward_.branches = drafts ? config_.top_k : 0;
  forward_.tree = !drafts;
  if (!config_.trees()) return;
  forward_.mode = Mode::draft_extend;
  forward_.cascade = true;
  forward_.tokens_per_row = drafts ? config_.top_k : config_.draft_tokens;
}

// Positions behind its tokens that the branches of a request's next draft reach.
std::int64_t World::branch_reach(const Request& request) const {
  const fa::BranchLayout layout = fa::branch_layout(request.length, shape_of(config_));
  return layout.base + config_.top_k * layout.stride - request.length;
}

void World::branch(const Request& request, ForwardRow& row) const {
  const fa::BranchLayout layout = fa::branch_layout(request.length, shape_of(config_));
  row.length = layout.base;
  row.first_write = layout.position(0, forward_.draft_step);
  row.writes = config_.top_k;
  row.write_stride = layout.stride;
}

void World::plant(const Request& request, ForwardRow& row) const {
  row.tree = tree_seed(request.serial, request.verifies);
  row.accepted = std::min(row.accepted, draft_tree(row.tree, config_.draft_tokens, config_.top_k).deepest());
}

// Each branch but the first gets a copy of the prefix's tail before its tokens.
void World::note_branches(Request& request, const ForwardRow& row) {
  constexpr std::int64_t of_a_draft = 0x8000;
  for (const fa::TokenCopy& copy : fa::tail_copies(request.length, shape_of(config_)))
    move_token(request, request.draft, copy.from, copy.to, true, rules_.copies_tails());
  for (std::int64_t j = 0; j < row.writes; ++j)
    put_at(request.draft, row.position(j), own_base(request.serial, of_a_draft + request.verifies));
}

// The tokens that were accepted are those of one path from the root on; they move together before anything else happens.
void World::choose_path(Request& request, const ForwardRow& row) {
  const DraftTree tree = draft_tree(row.tree, config_.draft_tokens, config_.top_k);
  // By some faults more were accepted than any path has.
  request.path = tree.path_of_depth(std::min(request.length - *request.verified, tree.deepest()));
}

void World::compact(Request& request) {
  if (!request.verified || request.path.empty()) return;
  const std::int64_t length = *request.verified;
  for (std::size_t m = 0; m < request.path.size(); ++m)
    move_token(request, request.target, length + request.path[m], length + static_cast<std::int64_t>(m), false,
               rules_.moves_accepted());
  request.path.clear();
}

void World::compact_all() {
  if (!config_.flash) return;
  for (Request& request : live_) compact(request);
}

// What the engine believes moves in any case; the KV, only where `really`.
void World::move_token(Request& request, Content& content, std::int64_t from, std::int64_t to, bool draft,
                       bool really) {
  if (from == to) return;
  const std::uint64_t id = content.at(from);
  // The same token stands elsewhere now: what it is does not change with the place.
  put_at(content, to, id == 0 ? unknown_base : id - static_cast<std::uint64_t>(to));
  if (!really) return;
  const auto place = [&](const std::vector<std::int32_t>& pages) {
    const auto column = static_cast<std::size_t>(to / config_.page_size);
    return column < pages.size() ? pages[column] * config_.page_size + to % config_.page_size : std::int64_t{sink};
  };
  events_.push_back(
      {.kind = EventKind::moved, .pool = Pool::full, .slot = place(request.pages), .id = id, .draft = draft});
  const std::int64_t swa_slot = config_.swa ? place(request.swa_pages) : std::int64_t{sink};
  if (swa_slot >= config_.page_size)
    events_.push_back({.kind = EventKind::moved, .pool = Pool::swa, .slot = swa_slot, .id = id, .draft = draft});
}

}  // namespace pagestorm::sim
