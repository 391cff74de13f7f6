// The body that stores as a KV store kernel does, against literals.

#include "judge/token_stores.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "judge/reader_pass.hpp"

namespace pagestorm::judge {
namespace {

// Pages of two slots: the sink and two full pages, the sink and one SWA page. Tokens 100, 101, ... of the target model.
struct Desk {
  std::vector<std::uint64_t> full = std::vector<std::uint64_t>(6), swa = std::vector<std::uint64_t>(4);
  std::vector<std::uint64_t> tokens = {100, 101, 102};
  std::vector<std::int32_t> slots = {2, 5, 4};
  std::vector<std::int64_t> swa_slots = {2, 3, 0};
  KvMemory memory = {.tags = {{full.data(), swa.data()}}, .pages = {2, 1}, .page_size = 2};

  Unwritten store(std::int32_t lanes) {
    const TokenStore store = {.full = {slots.data(), static_cast<std::int64_t>(slots.size()), 1, IntType::int32},
                              .swa = {swa_slots.data(), static_cast<std::int64_t>(swa_slots.size()), 1},
                              .tags = {tokens.data()}};
    Unwritten all;
    for (std::int32_t lane = lanes - 1; lane >= 0; --lane) {
      const Unwritten own = store_tokens(memory, store, {lane, lanes});
      for (std::size_t pool = 0; pool < kv_pools; ++pool) all.slots[pool] += own.slots[pool];
    }
    return all;
  }
};

TEST(TokenStores, GoWhereTheWriteSlotsSay) {
  for (const std::int32_t lanes : {1, 2, 7}) {
    Desk desk;
    const Unwritten none = desk.store(lanes);
    EXPECT_EQ(desk.full, (std::vector<std::uint64_t>{0, 0, 100, 0, 102, 101}));
    EXPECT_EQ(desk.swa, (std::vector<std::uint64_t>{0, 0, 100, 101})) << "what goes to the sink is poison";
    EXPECT_EQ(none.slots[0] + none.slots[1], 0);
  }
}

TEST(TokenStores, CountSlotsThatAreNone) {
  Desk desk;
  desk.slots = {-1, 6, 1 << 30};
  desk.swa_slots = {-1, 4};
  const Unwritten none = desk.store(2);
  EXPECT_EQ(none.slots[0], 3);
  EXPECT_EQ(none.slots[1], 2) << "a token without an element is not counted";
  EXPECT_EQ(desk.full, std::vector<std::uint64_t>(6));
  EXPECT_EQ(desk.swa, std::vector<std::uint64_t>(4));
}

TEST(TokenStores, FillsAreDoneInTheirOrder) {
  const SlotFill fills[] = {
      {KvModel::target, KvPool::full, 2, 4, 50, 1},
      {KvModel::target, KvPool::full, 3, 2, poison_tag, 0},
      {KvModel::target, KvPool::full, 4, 1, 7, 0},
      {KvModel::target, KvPool::swa, 2, 2, 9, 0},
  };
  for (const std::int32_t lanes : {1, 2, 3, 5, 64}) {
    Desk desk;
    for (std::int32_t lane = lanes - 1; lane >= 0; --lane) fill_slots(desk.memory, fills, 4, {lane, lanes});
    EXPECT_EQ(desk.full, (std::vector<std::uint64_t>{0, 0, 50, 0, 7, 53}));
    EXPECT_EQ(desk.swa, (std::vector<std::uint64_t>{0, 0, 9, 9}));
  }
}

TEST(ReaderPass, TheFirstOfBothModelsIsThatOfTheEarlierRow) {
  const FirstMisread none, keys{Misread::keys, 2, 0, 5, 4}, token{Misread::token, 3, 1, 7, 8};
  const FirstMisread swa{Misread::swa_token, 3, 0, 7, 8}, later{Misread::page, 4};
  const auto first = [](const FirstMisread& target, const FirstMisread& draft) {
    const FirstMisread both[] = {target, draft};
    return first_of(both);
  };
  EXPECT_EQ(first(none, none), KvMisread{});
  EXPECT_EQ(first(none, keys), (KvMisread{MisreadKind::keys, KvModel::target, 2, 0, 5, 4}));
  EXPECT_EQ(first(swa, token), (KvMisread{MisreadKind::swa_token, KvModel::target, 3, 0, 7, 8}));
  EXPECT_EQ(first(later, token), (KvMisread{MisreadKind::token, KvModel::draft, 3, 1, 7, 8}));
  EXPECT_EQ(first(token, later), (KvMisread{MisreadKind::token, KvModel::target, 3, 1, 7, 8}));
}

}  // namespace
}  // namespace pagestorm::judge
