#include "promise_of.hpp"

#include <fmt/format.h>

#include <cstring>
#include <string_view>

#include "pagestorm/ids.hpp"
#include "pagestorm/mode.hpp"

namespace pagestorm::outside {
namespace {

constexpr std::uint32_t all_modes = (1u << mode_count) - 1;
constexpr std::uint32_t all_types = 1u << PAGESTORM_INT32 | 1u << PAGESTORM_INT64;
constexpr std::uint32_t all_without = (std::uint32_t{PAGESTORM_NO_REFUSALS} << 1) - 1;

std::int64_t low_of(const pagestorm_capabilities& c) { return c.page_size_low == 0 ? 1 : c.page_size_low; }
std::int64_t high_of(const pagestorm_capabilities& c) {
  return c.page_size_high == 0 ? page_size_max : c.page_size_high;
}

std::string name_complaint(const pagestorm_capabilities& declared) {
  const std::string_view name(declared.name, strnlen(declared.name, sizeof declared.name));
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  if (name.size() == sizeof declared.name) return "name: does not end; use 63 characters at most, and a 0";
  if (name.empty()) return "name: is empty; give the builder a name";
  if (name.find_first_not_of(plain) != std::string_view::npos)
    return "name: has a character that no name has; use letters, digits, '-', '_' and '.'";
  return "";
}

std::string page_size_complaint(const pagestorm_capabilities& declared) {
  constexpr const char* no_size = "{}: {} is no page size; use 1 to {}, or 0 for {}";
  const std::int64_t low = low_of(declared);
  const std::int64_t high = high_of(declared);
  if (low < 1 || low > page_size_max)
    return fmt::format(no_size, "page_size_low", declared.page_size_low, page_size_max, 1);
  if (high < 1 || high > page_size_max)
    return fmt::format(no_size, "page_size_high", declared.page_size_high, page_size_max, page_size_max);
  if (low > high) return fmt::format("page_size_low: {} is above page_size_high, {}; exchange them", low, high);
  std::int64_t power = 1;
  while (power < low) power *= 2;
  if (declared.page_size_power_of_two != 0 && power > high)
    return fmt::format("page_size_power_of_two: no power of two is from {} to {}; widen the range", low, high);
  return "";
}

std::string bits_complaint(const char* field, std::uint32_t value, std::uint32_t known) {
  if ((value & ~known) == 0) return "";
  return fmt::format("{}: {:#x} has bits that mean nothing, {:#x}; use those of pagestorm/abi.h", field, value,
                     value & ~known);
}

std::string range_complaint(const char* field, std::int32_t value, std::int32_t high) {
  if (value >= 0 && value <= high) return "";
  return fmt::format("{}: {} means nothing; use 0 to {}, as in pagestorm/abi.h", field, value, high);
}

void read_types(std::uint32_t declared, std::array<bool, 2>& types) {
  for (std::size_t i = 0; i < types.size(); ++i) types[i] = declared == 0 || (declared >> i & 1) != 0;
}

}  // namespace

std::string complaint(const pagestorm_capabilities& declared) {
  if (declared.size != sizeof declared)
    return fmt::format("size: is {}; leave the {} that the caller has set", declared.size, sizeof declared);
  for (const std::string& one :
       {name_complaint(declared), range_complaint("device", declared.device, PAGESTORM_CUDA),
        bits_complaint("modes", declared.modes, all_modes), bits_complaint("without", declared.without, all_without),
        page_size_complaint(declared),
        range_complaint("absent_becomes", declared.absent_becomes, PAGESTORM_MAY_NOT_OCCUR),
        range_complaint("tombstone_becomes", declared.tombstone_becomes, PAGESTORM_MAY_NOT_OCCUR),
        bits_complaint("index_types", declared.index_types, all_types),
        bits_complaint("length_types", declared.length_types, all_types),
        bits_complaint("location_types", declared.location_types, all_types),
        bits_complaint("map_types", declared.map_types, all_types), bits_complaint("reserved", declared.reserved, 0)})
    if (!one.empty()) return one;
  if (declared.rows_high < 0)
    return fmt::format("rows_high: {} is no number of rows; use 0 for no limit", declared.rows_high);
  return "";
}

Promise promise_of(const pagestorm_capabilities& declared) {
  const auto has = [&](std::uint32_t bit) { return (declared.without & bit) == 0; };
  Promise promise{.page_size_low = low_of(declared),
                  .page_size_high = high_of(declared),
                  .page_size_power_of_two = declared.page_size_power_of_two != 0,
                  .rows_high = declared.rows_high,
                  .builds = has(PAGESTORM_NO_BUILD),
                  .swa = has(PAGESTORM_NO_SWA),
                  .status = has(PAGESTORM_NO_STATUS),
                  .element_zero = has(PAGESTORM_NO_ELEMENT_ZERO),
                  .clamps = has(PAGESTORM_NO_CLAMP),
                  .bad_indices = has(PAGESTORM_NO_BAD_INDICES),
                  .bad_lengths = has(PAGESTORM_NO_BAD_LENGTHS),
                  .empty_batch = has(PAGESTORM_NO_EMPTY_BATCH),
                  .write_slots = has(PAGESTORM_NO_WRITE_SLOTS),
                  .tail_zeros = has(PAGESTORM_NO_TAIL_ZEROS),
                  .input_strides = has(PAGESTORM_NO_INPUT_STRIDES),
                  .output_strides = has(PAGESTORM_NO_OUTPUT_STRIDES),
                  .own_swa_stride = has(PAGESTORM_NO_OWN_SWA_STRIDE),
                  .padded_tables = has(PAGESTORM_NO_PADDED_TABLES),
                  .far_rows = has(PAGESTORM_NO_FAR_ROWS),
                  .refusals = has(PAGESTORM_NO_REFUSALS),
                  .full_width = !has(PAGESTORM_FULL_WIDTH),
                  .absent = static_cast<Becomes>(declared.absent_becomes),
                  .tombstone = static_cast<Becomes>(declared.tombstone_becomes)};
  for (std::size_t mode = 0; mode < promise.modes.size(); ++mode)
    promise.modes[mode] = declared.modes == 0 || (declared.modes >> mode & 1) != 0;
  read_types(declared.index_types, promise.index_types);
  read_types(declared.length_types, promise.length_types);
  read_types(declared.location_types, promise.location_types);
  read_types(declared.map_types, promise.map_types);
  return promise;
}

}  // namespace pagestorm::outside
