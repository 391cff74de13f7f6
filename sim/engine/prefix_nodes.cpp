#include "prefix_nodes.hpp"

#include <cassert>
#include <utility>

namespace pagestorm::sim {
namespace {

// Moves the first `count` elements out of `from`.
std::vector<std::int32_t> split_off(std::vector<std::int32_t>& from, std::int64_t count) {
  if (from.empty()) return {};
  const auto middle = from.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<std::int32_t> front(from.begin(), middle);
  from.erase(from.begin(), middle);
  return front;
}

}  // namespace

void PrefixNodes::start(std::int64_t page_size) {
  assert(page_size >= 1);
  page_size_ = page_size;
  clock_ = 0;
  nodes_.clear();
  nodes_.emplace_back();
  spare_.clear();
  changed_.clear();
  leaves_.clear();
  backed_.clear();
  full_ = swa_ = {};
}

NodeId PrefixNodes::child(NodeId parent, const Content& content) const {
  const PrefixNode& node = (*this)[parent];
  const std::int64_t from = node.content.end();
  const auto found = node.children.find(ContentPart{content, from, from + page_size_});
  return found == node.children.end() ? root : found->second;
}

NodeId PrefixNodes::add(NodeId parent, PrefixNode node) {
  assert((*this)[parent].content.end() == node.content.first() && node.content.size() > 0);
  node.parent = parent;
  node.last_use = ++clock_;
  Content key = first_page(node.content, node.content.first());
  const NodeId id = place(std::move(node));
  unlist(parent);
  [[maybe_unused]] const bool is_new = at(parent).children.emplace(std::move(key), id).second;
  assert(is_new);
  list(parent);
  list(id);
  return id;
}

NodeId PrefixNodes::cut(NodeId id, std::int64_t position) {
  assert(id != root);
  if (position == (*this)[id].content.end()) return id;
  unlist(id);
  PrefixNode& lower = at(id);
  const Content whole = std::move(lower.content);
  const std::int64_t columns = (position - whole.first()) / page_size_;
  PrefixNode upper;
  upper.parent = lower.parent;
  upper.content = whole.slice(whole.first(), position);
  upper.pages = split_off(lower.pages, columns);
  upper.swa_pages = split_off(lower.swa_pages, columns);
  upper.locks = lower.locks;
  upper.swa_locks = lower.swa_locks;
  upper.last_use = lower.last_use;
  lower.content = whole.slice(position, whole.end());
  upper.children.emplace(first_page(whole, position), id);
  const NodeId above = place(std::move(upper));
  at(at(id).parent).children.at(first_page(whole, whole.first())) = above;
  at(id).parent = above;
  list(above);
  list(id);
  return above;
}

PrefixNode PrefixNodes::remove(NodeId id) {
  assert(id != root && (*this)[id].leaf());
  unlist(id);
  PrefixNode node = std::exchange(at(id), {});
  note(id);
  unlist(node.parent);
  at(node.parent).children.erase(first_page(node.content, node.content.first()));
  list(node.parent);
  spare_.push_back(id);
  return node;
}

std::vector<NodeId> PrefixNodes::in_order() const {
  std::vector<NodeId> order;
  std::vector<NodeId> waiting{root};
  while (!waiting.empty()) {
    const NodeId id = waiting.back();
    waiting.pop_back();
    if (id != root) order.push_back(id);
    const auto& children = (*this)[id].children;
    for (auto child = children.rbegin(); child != children.rend(); ++child) waiting.push_back(child->second);
  }
  return order;
}

std::optional<NodeId> PrefixNodes::oldest(IdleQueue& queue, Fits fits) {
  return queue.oldest([&](NodeId id) { return id != root && fits(at(id)) ? at(id).last_use : 0; });
}

NodeId PrefixNodes::place(PrefixNode node) {
  if (spare_.empty()) {
    nodes_.push_back(std::move(node));
    return static_cast<NodeId>(nodes_.size() - 1);
  }
  const NodeId id = spare_.back();
  spare_.pop_back();
  at(id) = std::move(node);
  return id;
}

Content PrefixNodes::first_page(const Content& content, std::int64_t from) const {
  return content.slice(from, from + page_size_);
}

// What the tallies and the queues say of a node follows from the node alone.
void PrefixNodes::list(NodeId id) {
  if (id == root) return;
  note(id);
  const PrefixNode& node = at(id);
  count(node, 1);
  if (may_go(node)) leaves_.enter(id, node.last_use);
  if (may_lose_swa(node)) backed_.enter(id, node.last_use);
}

void PrefixNodes::unlist(NodeId id) {
  if (id == root) return;
  count(at(id), -1);
}

void PrefixNodes::note(NodeId id) {
  if (std::exchange(at(id).changed, true)) return;
  changed_.push_back(id);
}

void PrefixNodes::forget_changes() {
  for (const NodeId id : changed_) at(id).changed = false;
  changed_.clear();
}

void PrefixNodes::count(const PrefixNode& node, std::int64_t sign) {
  const std::int64_t pages = sign * static_cast<std::int64_t>(node.pages.size());
  full_.owned += pages;
  full_.locked += node.locks > 0 ? pages : 0;
  swa_.owned += node.backed() ? pages : 0;
  swa_.locked += node.backed() && node.swa_locks > 0 ? pages : 0;
}

}  // namespace pagestorm::sim
