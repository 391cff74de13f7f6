#include "declared.hpp"

#include <fmt/format.h>

#include <vector>

#include "pagestorm/builder.hpp"
#include "sim/report.hpp"
#include "sim/text.hpp"
#include "stand.hpp"

namespace pagestorm::cli {
namespace {

std::string modes_of(const Promise& promise) {
  std::vector<std::string_view> names;
  for (int mode = 0; mode < mode_count; ++mode)
    if (promise.modes[static_cast<std::size_t>(mode)]) names.push_back(sim::name_of(static_cast<Mode>(mode)));
  return names.size() == mode_count ? "all" : fmt::format("{}", fmt::join(names, " "));
}

const char* types_of(const std::array<bool, 2>& types) {
  return types[0] && types[1] ? "int32 int64" : types[0] ? "int32" : "int64";
}

std::string_view name_of(Becomes becomes) {
  switch (becomes) {
    case Becomes::contract: return "";
    case Becomes::zero: return "becomes page 0";
    case Becomes::minus_one: return "becomes -1";
    case Becomes::anything: return "becomes anything";
    case Becomes::never: return "may not occur";
  }
  return "";
}

std::vector<std::string> excuses_of(const Promise& promise) {
  std::vector<std::string> all;
  const auto unless = [&all](bool promised, const char* what) {
    if (!promised) all.emplace_back(what);
  };
  unless(promise.builds, "build: there is only apply");
  unless(promise.swa, "SWA outputs");
  unless(promise.status, "the status word");
  unless(promise.element_zero, "element 0 of the sums");
  unless(promise.clamps, "rows that need more columns than the table has");
  unless(promise.bad_indices, "request rows, positions and slots out of range");
  unless(promise.bad_lengths, "lengths that are negative or do not fit");
  unless(promise.empty_batch, "batches without rows");
  unless(promise.write_slots, "SWA write slots");
  unless(promise.tail_zeros, "zeros after the last write slot");
  unless(promise.input_strides, "strides of inputs");
  unless(promise.output_strides, "strides of outputs");
  unless(promise.own_swa_stride, "strides of the SWA table that are not those of the other");
  unless(promise.padded_tables, "padding between rows of tables");
  unless(promise.far_rows, "offsets of 2^31 elements and more");
  unless(promise.refusals, "refusals of shapes that do not fit");
  unless(!promise.full_width, "leaving columns after the live prefix alone");
  if (promise.absent != Becomes::contract) all.push_back(fmt::format("absent slots: {}", name_of(promise.absent)));
  if (promise.tombstone != Becomes::contract) all.push_back(fmt::format("tombstones: {}", name_of(promise.tombstone)));
  return all;
}

}  // namespace

std::string print_declared(const std::string& spec, const OutsideLimits& limits) {
  const BuilderEntry entry = outside_entry(spec, limits);
  const auto builder = entry.make(Fault::none);
  const Promise promise = builder->capabilities().promise;
  std::string text = fmt::format("{} ({}) · {} memory\n\ntakes\n", builder->name(), spec,
                                 builder->capabilities().device ? "device" : "host");
  const auto line = [&text](std::string_view what, const std::string& value) {
    text += fmt::format("  {:<18}{}\n", what, value);
  };
  line("modes", modes_of(promise));
  line("page sizes", fmt::format("{} to {}{}", promise.page_size_low, promise.page_size_high,
                                 promise.page_size_power_of_two ? ", powers of two" : ""));
  line("rows", promise.rows_high == 0 ? "any number" : fmt::format("{} at most", sim::grouped(promise.rows_high)));
  line("req_pool_indices", types_of(promise.index_types));
  line("lengths", types_of(promise.length_types));
  line("out_cache_loc", types_of(promise.location_types));
  line("full_to_swa", types_of(promise.map_types));
  text += "\nexcused from\n";
  const std::vector<std::string> excuses = excuses_of(promise);
  for (const std::string& excuse : excuses) text += fmt::format("  {}\n", excuse);
  if (promise == Promise{}) return text + "  nothing: the whole contract\n";
  return excuses.empty() ? text + "  nothing\n" : text;
}

}  // namespace pagestorm::cli
