#include "outside/promise_of.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

namespace pagestorm::outside {
namespace {

pagestorm_capabilities named(const char* name = "mine") {
  pagestorm_capabilities declared{};
  declared.size = sizeof declared;
  std::strncpy(declared.name, name, sizeof declared.name);
  return declared;
}

TEST(Declared, NothingButANameIsTheWholeContract) {
  EXPECT_EQ(complaint(named()), "");
  EXPECT_EQ(promise_of(named()), Promise{});
}

TEST(Declared, EachBitTakesOnePromiseAway) {
  const std::pair<std::uint32_t, bool Promise::*> bits[] = {{PAGESTORM_NO_BUILD, &Promise::builds},
                                                            {PAGESTORM_NO_SWA, &Promise::swa},
                                                            {PAGESTORM_NO_STATUS, &Promise::status},
                                                            {PAGESTORM_NO_ELEMENT_ZERO, &Promise::element_zero},
                                                            {PAGESTORM_NO_CLAMP, &Promise::clamps},
                                                            {PAGESTORM_NO_BAD_INDICES, &Promise::bad_indices},
                                                            {PAGESTORM_NO_BAD_LENGTHS, &Promise::bad_lengths},
                                                            {PAGESTORM_NO_EMPTY_BATCH, &Promise::empty_batch},
                                                            {PAGESTORM_NO_WRITE_SLOTS, &Promise::write_slots},
                                                            {PAGESTORM_NO_TAIL_ZEROS, &Promise::tail_zeros},
                                                            {PAGESTORM_NO_INPUT_STRIDES, &Promise::input_strides},
                                                            {PAGESTORM_NO_OUTPUT_STRIDES, &Promise::output_strides},
                                                            {PAGESTORM_NO_OWN_SWA_STRIDE, &Promise::own_swa_stride},
                                                            {PAGESTORM_NO_PADDED_TABLES, &Promise::padded_tables},
                                                            {PAGESTORM_NO_FAR_ROWS, &Promise::far_rows},
                                                            {PAGESTORM_NO_REFUSALS, &Promise::refusals}};
  for (const auto& [bit, member] : bits) {
    pagestorm_capabilities declared = named();
    declared.without = bit;
    Promise expected;
    expected.*member = false;
    EXPECT_EQ(complaint(declared), "");
    EXPECT_EQ(promise_of(declared), expected) << bit;
  }
}

TEST(Declared, RangesModesAndTypesAreTaken) {
  pagestorm_capabilities declared = named();
  declared.modes = 1u << PAGESTORM_DECODE | 1u << PAGESTORM_EXTEND;
  declared.page_size_low = 16;
  declared.page_size_high = 64;
  declared.page_size_power_of_two = 1;
  declared.index_types = 1u << PAGESTORM_INT64;
  declared.rows_high = 8;
  declared.absent_becomes = PAGESTORM_BECOMES_ZERO;
  declared.tombstone_becomes = PAGESTORM_MAY_NOT_OCCUR;
  declared.without = PAGESTORM_FULL_WIDTH;
  Promise expected{.page_size_low = 16,
                   .page_size_high = 64,
                   .page_size_power_of_two = true,
                   .rows_high = 8,
                   .full_width = true,
                   .absent = Becomes::zero,
                   .tombstone = Becomes::never};
  expected.modes = {false, true, false, false, false, true, false};
  expected.index_types = {false, true};
  EXPECT_EQ(complaint(declared), "");
  EXPECT_EQ(promise_of(declared), expected);
}

TEST(Declared, GarbageIsRefusedByField) {
  using Spoil = std::function<void(pagestorm_capabilities&)>;
  const std::pair<const char*, Spoil> spoilt[] = {
      {"size", [](auto& c) { c.size = 4; }},
      {"name", [](auto& c) { c.name[0] = 0; }},
      {"name", [](auto& c) { c.name[1] = '\n'; }},
      {"name", [](auto& c) { std::memset(c.name, 'a', sizeof c.name); }},
      {"device", [](auto& c) { c.device = 2; }},
      {"modes", [](auto& c) { c.modes = 1u << 7; }},
      {"without", [](auto& c) { c.without = 1u << 18; }},
      {"page_size_low", [](auto& c) { c.page_size_low = -1; }},
      {"page_size_low", [](auto& c) { c.page_size_low = 4097; }},
      {"page_size_high", [](auto& c) { c.page_size_high = 4097; }},
      {"page_size_low", [](auto& c) { c.page_size_low = 9, c.page_size_high = 8; }},
      {"page_size_power_of_two",
       [](auto& c) { c.page_size_low = 5, c.page_size_high = 7, c.page_size_power_of_two = 1; }},
      {"absent_becomes", [](auto& c) { c.absent_becomes = 5; }},
      {"tombstone_becomes", [](auto& c) { c.tombstone_becomes = -1; }},
      {"index_types", [](auto& c) { c.index_types = 4; }},
      {"length_types", [](auto& c) { c.length_types = 8; }},
      {"location_types", [](auto& c) { c.location_types = 4; }},
      {"map_types", [](auto& c) { c.map_types = 4; }},
      {"reserved", [](auto& c) { c.reserved = 1; }},
      {"rows_high", [](auto& c) { c.rows_high = -1; }},
  };
  for (const auto& [field, spoil] : spoilt) {
    pagestorm_capabilities declared = named();
    spoil(declared);
    EXPECT_TRUE(complaint(declared).starts_with(std::string(field) + ": ")) << field << ": " << complaint(declared);
  }
}

}  // namespace
}  // namespace pagestorm::outside
