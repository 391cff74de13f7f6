#include "clauses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "sim/excuse.hpp"

namespace pagestorm::props {
namespace {

constexpr std::string_view every = "every pass";
constexpr std::string_view cells = "agrees_with_reference writes_only_live_cells paths_agree";

constexpr std::array<ClauseEntry, clause_count> catalogue = {{
    {"C1.1", "the mode decides what is added to L, and the queries", "a mode that adds something or has queries",
     cells},
    {"C1.2", "build adds nothing to L", "build in a mode that adds something", "paths_agree"},
    {"C1.3", "idle is a decode", "an idle pass", cells},
    {"C1.4", "extend_seq_lens counts in two modes only", "a pass in another mode", cells},
    {"C2.1", "any page size from 1 to 4096", "a page size that is no power of two", cells},
    {"C2.2", "contents count as they are when the work runs", every, "metadata_needs_no_host_sync"},
    {"C2.3", "each input is int32 or int64", "inputs of both types", cells},
    {"C2.4", "every view has strides of its own, offsets have 64 bits", "a layout that is not contiguous", cells},
    {"C2.5", "SWA outputs exactly with full_to_swa", "a hybrid model", cells},
    {"C2.6", "a shape that does not fit is refused", "wrong shapes, beside a right call that is taken",
     "refuses_wrong_shapes"},
    {"C2.7", "no content is refused", "a row or slot that is out of bounds", "does_not_crash ends_in_time"},
    {"C3.1", "the types of the outputs", every, "agrees_with_reference"},
    {"C3.2", "exactly the live cells are written", every, "writes_only_live_cells replay_equals_fresh"},
    {"C3.3", "no value depends on what its cell held", every, "writes_only_live_cells replay_equals_fresh"},
    {"C3.4", "build writes the tables alone", "build", "paths_agree"},
    {"C4.1", "cache_seqlens is K, not cut at the table", "a row", cells},
    {"C4.2", "a negative L is K = 0", "a negative length", cells},
    {"C4.3", "K ends at 2^31 - 1", "a K that does not fit into int32", cells},
    {"C4.4", "a negative extend length is no query", "a negative extend length", cells},
    {"C5.1", "a row has ceil(K / P) live columns", "a live row", cells},
    {"C5.2", "a row is cut at the width of the table", "a row that needs more columns", cells},
    {"C5.3", "columns after the prefix are not written", "a row shorter than the table",
     "writes_only_live_cells replay_equals_fresh"},
    {"C6.1", "a column names the first slot of its page", "a live cell", cells},
    {"C6.2", "page_table is slot div P", "a live cell", cells},
    {"C6.3", "SWA: translated, then divided", "a live cell of a hybrid model",
     "agrees_with_reference swa_slots_are_valid attention_reads_what_was_written"},
    {"C6.4", "a tombstone is page 0", "a slot mapped to 0", cells},
    {"C6.5", "slots beyond the map are -1 in the SWA table", "a slot beyond the map", cells},
    {"C6.6", "rows are independent", "two rows of one request row", cells},
    {"C7.1", "an absent slot is -1 in both tables", "a negative slot in a live cell", cells},
    {"C7.2", "a request row outside the pool is absent", "such a row with live cells", cells},
    {"C7.3", "a position beyond the row is absent", "such a position in a live cell", cells},
    {"C8.1", "element 0 of the sums is written", every, cells},
    {"C8.2", "element r + 1 is the sum over rows 0 to r", "a row", cells},
    {"C8.3", "a sum ends at 2^31 - 1", "a sum that does not fit into int32", cells},
    {"C9.1", "write slots are translated", "a write slot of a hybrid model",
     "agrees_with_reference swa_slots_are_valid attention_reads_what_was_written"},
    {"C9.2", "an absent write slot is -1", "a negative write slot", cells},
    {"C9.3", "elements after the last write slot are 0", "more room than write slots", cells},
    {"C9.4", "the first write slots that fit", "more write slots than room", cells},
    {"C9.5", "no write slots without SWA", "no SWA, or build", "writes_only_live_cells paths_agree"},
    {"C10.1", "padded rows are request row 0, length 1", "a padded batch", "padding_is_inert"},
    {"C10.2", "a padded row is no special case", "a padded batch", "padding_is_inert agrees_with_reference"},
    {"C10.3", "its write slots are 0", "a padded batch of a hybrid model", "padding_is_inert agrees_with_reference"},
    {"C10.4", "real rows are the same without padding", "real rows with padded ones", "padding_is_inert"},
    {"C11.1", "bits are ORed into the status word", every, "status_is_ored_in"},
    {"C11.2", "a bit is raised exactly when its condition is met", every, "agrees_with_reference"},
    {"C12.1", "no rows: element 0 and write slots are written", "a batch without rows", cells},
    {"C12.2", "no rows: build writes nothing", "build of a batch without rows", "paths_agree"},
    {"C12.3", "a table of width 0", "a row with keys and no columns", cells},
    {"C13.1", "no wait for the device while enqueuing", every, "metadata_needs_no_host_sync"},
    {"C13.2", "contents decide no launch", every, "metadata_needs_no_host_sync"},
    {"C13.3", "no allocation inside a capture", "enqueued under a capture, on a device", "metadata_needs_no_host_sync"},
    {"C13.4", "no input is read that decides nothing", every, "reads_only_live_cells"},
    {"C13.5", "no output is read", every, "writes_only_live_cells replay_equals_fresh reads_only_live_cells"},
    {"C13.6", "no cell is rewritten with what it holds", "an audited builder", "writes_only_live_cells"},
    {"C13.7", "the order of lanes does not matter", "another order of the lanes", "lane_order_is_irrelevant"},
}};

// The conditions of one pass, each looked at once.
class Conditions {
 public:
  explicit Conditions(sim::Moment& moment)
      : moment_(moment), expected_(moment.expected()), capabilities_(moment.builder().capabilities()) {
    expected_.complete();
    for (std::int64_t r = 0; r < expected_.rows(); ++r) {
      live_ = live_ || expected_.live(r) > 0;
      short_ = short_ || expected_.live(r) < expected_.width();
      keys_ = keys_ || expected_.keys(r) > 0;
    }
  }

  bool rows() const { return expected_.rows() > 0; }
  bool live() const { return live_; }
  bool is_short() const { return short_; }
  bool no_columns() const { return keys_ && expected_.width() == 0; }
  bool swa() const { return expected_.swa(); }
  bool builds() const { return capabilities_.promise.builds; }
  bool audits() const { return capabilities_.audits; }
  bool orders() const { return capabilities_.orders; }
  bool captured() const { return capabilities_.device && capabilities_.captures; }
  bool raised(Status bits) const { return (expected_.status() & static_cast<std::uint32_t>(bits)) != 0; }
  bool mode_adds() const {
    const Mode mode = moment_.batch().mode;
    return mode == Mode::draft_decode || mode == Mode::target_verify || mode == Mode::ragged_verify;
  }
  bool is(Mode mode) const { return moment_.batch().mode == mode; }
  bool looks_at_extends() const {
    return is(Mode::ragged_verify) || (is(Mode::extend) && moment_.batch().has_cached_prefix);
  }
  bool odd_page_size() const { return (moment_.batch().page_size & (moment_.batch().page_size - 1)) != 0; }
  bool both_types() const {
    const sim::Layout& layout = moment_.world().config().layout;
    return layout.index_type != layout.length_type || layout.length_type != layout.location_type;
  }
  bool strided() const {
    const sim::Layout& layout = moment_.world().config().layout;
    return layout.input_stride > 1 || layout.output_stride > 1 || layout.slots_stride > 1 || layout.table_stride > 1 ||
           layout.swa_table_stride > 1 || layout.slots_padding > 0 || layout.table_padding > 0 ||
           layout.swa_table_padding > 0 || layout.far != sim::Far::none;
  }
  bool outside() const {
    return raised(Status::row_outside_pool | Status::position_outside_row | Status::slot_outside_map |
                  Status::negative_length | Status::length_saturated | Status::absent_slot);
  }
  bool negative_length() const {
    for (const sim::ForwardRow& row : moment_.forward().rows)
      if (row.length < 0) return true;
    return false;
  }
  bool negative_extend() const {
    for (const sim::ForwardRow& row : moment_.forward().rows)
      if (row.new_tokens < 0) return looks_at_extends();
    return false;
  }
  bool same_rows() const {
    const auto& rows = moment_.forward().rows;
    for (std::size_t i = 1; i < rows.size(); ++i)
      if (rows[i].pool_row == rows[i - 1].pool_row || rows[i].pool_row == rows[0].pool_row) return live_;
    return false;
  }
  bool padded() const { return moment_.forward().padded; }
  bool real() const { return moment_.forward().real_rows > 0; }
  bool absent_write() const {
    for (std::int64_t i = 0; swa() && i < writes(); ++i)
      if (expected_.write_slot(i) < 0) return true;
    return false;
  }
  std::int64_t writes() const { return std::min(expected_.writes_given(), moment_.extent().write_slots); }
  bool tail() const { return swa() && moment_.extent().write_slots > expected_.writes_given(); }
  bool zero_mapped() const {
    if (!swa()) return false;
    for (std::int64_t r = 0; r < expected_.rows(); ++r)
      for (const std::int32_t page : expected_.swa_pages(r))
        if (page == 0) return true;
    return expected_.zero_mappings();
  }

 private:
  sim::Moment& moment_;
  sim::Reference& expected_;
  Capabilities capabilities_;
  bool live_ = false, short_ = false, keys_ = false;
};

// Clauses that no pass tries, since the builder declared otherwise: " C5.3 C8.1 ".
std::string spared_clauses(const Capabilities& capabilities) {
  const sim::Excuses declared = sim::declared(capabilities);
  std::string clauses = " ";
  for (const sim::ExcuseEntry& entry : sim::excuse_catalogue())
    if (entry.excuse >= sim::Excuse::absent && has(declared, entry.excuse))
      clauses += fmt::format("{} ", entry.clauses);
  return clauses;
}

}  // namespace

std::span<const ClauseEntry, clause_count> clause_catalogue() { return catalogue; }

std::size_t clause_index(std::string_view id) {
  for (std::size_t i = 0; i < clause_count; ++i)
    if (catalogue[i].id == id) return i;
  throw std::invalid_argument(fmt::format("the contract has no clause {}", id));
}

void note_tried(sim::Moment& moment, ClauseTally& tally) {
  const Conditions pass(moment);
  const std::string spared = spared_clauses(moment.builder().capabilities());
  const auto note = [&](std::string_view id, bool met) {
    tally[clause_index(id)] += met && spared.find(fmt::format(" {} ", id)) == std::string::npos ? 1 : 0;
  };
  for (const ClauseEntry& entry : catalogue) note(entry.id, entry.tried == every);
  note("C1.1", pass.rows() && !pass.is(Mode::decode) && !pass.is(Mode::idle));
  note("C1.2", pass.builds() && pass.rows() && pass.mode_adds());
  note("C1.3", pass.is(Mode::idle));
  note("C1.4", pass.rows() && !pass.looks_at_extends());
  note("C2.1", pass.live() && pass.odd_page_size());
  note("C2.3", pass.rows() && pass.both_types());
  note("C2.4", pass.rows() && pass.strided());
  note("C2.5", pass.swa());
  note("C2.7", pass.outside());
  note("C3.4", pass.builds() && pass.rows());
  note("C4.1", pass.rows());
  note("C4.2", pass.negative_length());
  note("C4.3", pass.raised(Status::length_saturated));
  note("C4.4", pass.negative_extend());
  note("C5.1", pass.live());
  note("C5.2", pass.raised(Status::row_clamped));
  note("C5.3", pass.is_short());
  note("C6.1", pass.live());
  note("C6.2", pass.live());
  note("C6.3", pass.live() && pass.swa());
  note("C6.4", pass.zero_mapped());
  note("C6.5", pass.raised(Status::slot_outside_map));
  note("C6.6", pass.same_rows());
  note("C7.1", pass.raised(Status::absent_slot));
  note("C7.2", pass.raised(Status::row_outside_pool));
  note("C7.3", pass.raised(Status::position_outside_row));
  note("C8.2", pass.rows());
  note("C8.3", pass.raised(Status::sum_saturated));
  note("C9.1", pass.swa() && pass.writes() > 0);
  note("C9.2", pass.absent_write());
  note("C9.3", pass.tail());
  note("C9.4", pass.raised(Status::write_slots_clamped));
  note("C9.5", !pass.swa());
  note("C10.1", pass.padded());
  note("C10.2", pass.padded());
  note("C10.3", pass.padded() && pass.swa());
  note("C10.4", pass.padded() && pass.real());
  note("C12.1", !pass.rows());
  note("C12.2", !pass.rows() && pass.builds());
  note("C12.3", pass.no_columns());
  note("C13.3", pass.captured());
  note("C13.6", pass.audits());
  note("C13.7", pass.orders() && pass.rows());
}

}  // namespace pagestorm::props
