// The full-to-SWA map: what it says of each slot, and that nothing of it stays behind.

#include "sim/slot_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace pagestorm::sim {
namespace {

// A map in memory of its own.
struct Desk {
  IntType type = IntType::int64;
  std::int64_t stride = 1;
  std::int64_t pages = 9;
  std::int64_t page_size = 1;
  std::vector<std::byte> memory = {};
  SlotMap map = {};

  void lay_out() {
    map.lay_out(nullptr, type, stride, pages, page_size);
    memory.assign(static_cast<std::size_t>((pages + 1) * map.page_bytes()), std::byte{0});
    map.lay_out(memory.data(), type, stride, pages, page_size);
  }
  std::int64_t at(std::int64_t slot) const {
    return type == IntType::int64 ? reinterpret_cast<const std::int64_t*>(memory.data())[slot * stride]
                                  : reinterpret_cast<const std::int32_t*>(memory.data())[slot * stride];
  }
  bool blank() const {
    return std::all_of(memory.begin(), memory.end(), [](std::byte byte) { return byte == std::byte{0}; });
  }
};

std::vector<Desk> desks() {
  std::vector<Desk> all;
  for (const IntType type : {IntType::int32, IntType::int64})
    for (const std::int64_t stride : {1, 3})
      for (const std::int64_t page_size : {1, 2, 7, 16, 50, 256})
        all.push_back({.type = type, .stride = stride, .pages = 999, .page_size = page_size});
  return all;
}

TEST(SlotMap, SendsEachSlotOfAPageToTheSameOffset) {
  for (Desk& desk : desks()) {
    desk.lay_out();
    desk.map.map_pages(std::array{3, 999}, std::array{5, 1});
    for (std::int64_t j = 0; j < desk.page_size; ++j) {
      EXPECT_EQ(desk.at(3 * desk.page_size + j), 5 * desk.page_size + j);
      EXPECT_EQ(desk.at(999 * desk.page_size + j), desk.page_size + j);
      EXPECT_EQ(desk.at(4 * desk.page_size + j), 0);
    }
  }
}

TEST(SlotMap, TakesAMappingAway) {
  for (Desk& desk : desks()) {
    desk.lay_out();
    desk.map.map_pages(std::array{3}, std::array{5});
    desk.map.map_pages(std::array{3}, std::array{0});
    EXPECT_TRUE(desk.blank());
  }
}

TEST(SlotMap, IsBlankOnceCleared) {
  std::vector<std::int32_t> all(1000);
  std::iota(all.begin(), all.end(), 0);
  const std::vector<std::vector<std::int32_t>> calls[] = {
      {{7}, {999}, {0}},                // far apart
      {{998, 995, 999, 997}, {12, 5}},  // close together
      {all},                            // every page
      {{500}, {}, all, {3}},
  };
  for (Desk& desk : desks())
    for (const auto& pages_of_calls : calls) {
      desk.lay_out();
      for (const auto& pages : pages_of_calls) desk.map.map_pages(pages, std::vector<std::int32_t>(pages.size(), 9));
      EXPECT_FALSE(desk.blank());
      desk.map.clear();
      EXPECT_TRUE(desk.blank());
      desk.map.map_pages(std::array{1}, std::array{2});
      desk.map.clear();
      EXPECT_TRUE(desk.blank());
    }
}

}  // namespace
}  // namespace pagestorm::sim
