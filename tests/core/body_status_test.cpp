// Each bit of the status word alone, by a cause of its own.

#include <gtest/gtest.h>

#include <functional>

#include "case.hpp"

namespace pagestorm {
namespace {

struct Cause {
  const char* name;
  Status bits;
  std::function<void(Case&)> make;
};

// Two sound rows of an extend with a map.
Case sound() {
  Case one;
  one.mode = Mode::extend;
  one.page_size = 2;
  one.width = 3;
  one.slots = {{0, 0, 0, 0, 0, 0}, {2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13}};
  one.indices = {1, 2};
  one.lengths = {5, 6};
  one.extends = {1, 2};
  one.writes = {6, 12, 13};
  for (std::int64_t slot = 0; slot < 14; ++slot) one.map.push_back(slot);
  return one;
}

const Cause causes[] = {
    {"nothing", Status::none, [](Case&) {}},
    {"room_to_spare", Status::none, [](Case& one) { one.write_room = 4; }},
    {"write_slot_minus_one", Status::none, [](Case& one) { one.writes[0] = -1; }},
    {"mapping_to_nothing", Status::none, [](Case& one) { one.map[4] = -1; }},
    {"length_zero", Status::none, [](Case& one) { one.lengths[0] = 0; }},
    {"length_past_width", Status::row_clamped, [](Case& one) { one.lengths[1] = 7; }},
    {"length_minus_one", Status::negative_length, [](Case& one) { one.lengths[1] = -1; }},
    {"new_tokens_minus_one", Status::negative_length, [](Case& one) { one.extends[1] = -1; }},
    {"slot_minus_one", Status::absent_slot, [](Case& one) { one.slots[1][4] = -1; }},
    {"row_three_of_three", Status::row_outside_pool, [](Case& one) { one.indices[0] = 3; }},
    {"row_minus_one", Status::row_outside_pool, [](Case& one) { one.indices[0] = -1; }},
    {"position_past_columns", Status::position_outside_row,
     [](Case& one) {
       one.width = 4;
       one.lengths[1] = 7;
     }},
    {"slot_past_map", Status::slot_outside_map, [](Case& one) { one.slots[2][0] = 14; }},
    {"write_slot_past_map", Status::slot_outside_map, [](Case& one) { one.writes[2] = 14; }},
    {"queries_past_int32", Status::sum_saturated,
     [](Case& one) {
       one.extends = {2'147'483'647, 1};
     }},
    {"keys_past_int32", Status::sum_saturated | Status::row_clamped,
     [](Case& one) {
       one.lengths = {2'147'483'647, 6};
     }},
    {"length_past_int32", Status::length_saturated | Status::row_clamped,
     [](Case& one) {
       one.lengths = {0, std::int64_t{1} << 31};
     }},
    {"room_for_two_of_three", Status::write_slots_clamped, [](Case& one) { one.write_room = -1; }},
};

class StatusWord : public testing::TestWithParam<Cause> {};

TEST_P(StatusWord, SaysWhatWasMetAndNothingElse) {
  Case one = sound();
  GetParam().make(one);
  EXPECT_EQ(run(one).status, GetParam().bits);
  EXPECT_EQ(run(one, "host-shuffled").status, GetParam().bits);
}

INSTANTIATE_TEST_SUITE_P(Each, StatusWord, testing::ValuesIn(causes), [](const auto& info) { return info.param.name; });

TEST(StatusWord, EveryBitHasACause) {
  Status met = Status::none;
  for (const Cause& cause : causes) met = met | cause.bits;
  EXPECT_EQ(static_cast<std::uint32_t>(met), (1u << status_bit_count) - 1);
}

TEST(StatusWord, OfBuildHasNoWordOnWriteSlotsAndSums) {
  Case one = sound();
  one.entry = Entry::build;
  one.write_room = -1;
  one.writes[2] = 14;
  one.extends = {2'147'483'647, -1};
  EXPECT_EQ(run(one).status, Status::none);
}

TEST(StatusWord, GathersBitsOfAllRows) {
  Case one = sound();
  one.lengths = {-1, 7};
  EXPECT_EQ(run(one).status, Status::negative_length | Status::row_clamped);
}

}  // namespace
}  // namespace pagestorm
