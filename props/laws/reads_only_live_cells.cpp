// A call reads no input cell that does not matter to it. An audited builder is judged access by access; any other by
// exchanging cells that it must not read, near those that it reads.

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "flash_footprint.hpp"
#include "props/laws.hpp"
#include "sim/checks.hpp"

namespace pagestorm::props {
namespace {

using sim::Moment;

bool holds(const IntVector& vector, std::int64_t used, const std::byte* at) {
  const std::int64_t element = (vector.type == IntType::int64 ? 8 : 4) * vector.stride;
  const std::int64_t offset = at - static_cast<const std::byte*>(vector.data);
  return vector.data != nullptr && offset >= 0 && offset < used * element && offset % element == 0;
}

// The inputs that a call may read, as sets.
class Footprint {
 public:
  explicit Footprint(Moment& moment) : batch_(moment.batch()) {
    const Matrix<const std::int32_t>& slots = batch_.req_to_token;
    columns_.assign(static_cast<std::size_t>(slots.rows), 0);
    for (std::int64_t r = 0; r < batch_.rows; ++r) {
      const std::int64_t row = moment.forward().rows[static_cast<std::size_t>(r)].pool_row;
      if (row < 0 || row >= slots.rows) continue;
      auto& columns = columns_[static_cast<std::size_t>(row)];
      columns = std::max(columns, moment.expected().live(r));
    }
    if (batch_.full_to_swa.data == nullptr) return;
    for (std::size_t row = 0; row < columns_.size(); ++row)
      for (std::int64_t c = 0; c < columns_[row] && c * batch_.page_size < slots.cols; ++c)
        slots_.push_back(
            slots.data[static_cast<std::int64_t>(row) * slots.row_stride + c * batch_.page_size * slots.col_stride]);
    for (std::int64_t i = 0; i < batch_.out_cache_loc.size; ++i) slots_.push_back(location(i));
    std::sort(slots_.begin(), slots_.end());
  }

  bool allows(const std::byte* at) const {
    const bool extends =
        (batch_.mode == Mode::extend && batch_.has_cached_prefix) || batch_.mode == Mode::ragged_verify;
    return holds(batch_.req_pool_indices, batch_.rows, at) || holds(batch_.seq_lens, batch_.rows, at) ||
           (extends && holds(batch_.extend_seq_lens, batch_.rows, at)) ||
           (!slots_.empty() && holds(batch_.out_cache_loc, batch_.out_cache_loc.size, at)) || is_live_slot(at) ||
           is_live_mapping(at);
  }

 private:
  std::int64_t location(std::int64_t i) const {
    const IntVector& v = batch_.out_cache_loc;
    return v.type == IntType::int64 ? static_cast<const std::int64_t*>(v.data)[i * v.stride]
                                    : static_cast<const std::int32_t*>(v.data)[i * v.stride];
  }

  bool is_live_slot(const std::byte* at) const {
    const Matrix<const std::int32_t>& slots = batch_.req_to_token;
    const std::int64_t element = (at - reinterpret_cast<const std::byte*>(slots.data)) / 4;
    if (at < reinterpret_cast<const std::byte*>(slots.data) || element >= slots.rows * slots.row_stride) return false;
    const std::int64_t row = element / slots.row_stride;
    const std::int64_t rest = element % slots.row_stride;
    if (rest % slots.col_stride != 0) return false;
    const std::int64_t position = rest / slots.col_stride;
    return position < slots.cols && position % batch_.page_size == 0 &&
           position / batch_.page_size < columns_[static_cast<std::size_t>(row)];
  }

  bool is_live_mapping(const std::byte* at) const {
    const IntVector& map = batch_.full_to_swa;
    if (!holds(map, map.size, at)) return false;
    const std::int64_t element = (map.type == IntType::int64 ? 8 : 4) * map.stride;
    const std::int64_t slot = (at - static_cast<const std::byte*>(map.data)) / element;
    return std::binary_search(slots_.begin(), slots_.end(), slot);
  }

  Batch batch_;
  std::vector<std::int64_t> columns_;  ///< live columns of each request row
  std::vector<std::int64_t> slots_;    ///< slots that may be looked up, sorted
};

class ReadsOnlyLiveCells final : public sim::Law {
 public:
  std::string_view name() const override { return "reads_only_live_cells"; }
  std::string_view what() const override { return "no input cell that does not matter is read"; }
  bool reruns() const override { return true; }

  std::optional<sim::Violation> judge(Moment& moment) override {
    return moment.builder().capabilities().audits ? audited_read(moment) : disturbed_run(moment);
  }

  bool applies_to_flash(const sim::FlashMoment& moment) const override {
    return moment.builder().capabilities().audits;
  }
  std::optional<sim::Violation> judge_flash(sim::FlashMoment& moment) override { return read_in_vain(moment); }

 private:
  static std::optional<sim::Violation> audited_read(Moment& moment) {
    const sim::Image& image = moment.rerun({});
    const Footprint footprint(moment);
    for (const Access& access : moment.builder().accesses()) {
      if (access.write || footprint.allows(access.address)) continue;
      const Region region = image.region();
      const std::int64_t offset = access.address - region.base;
      const std::string why = "a call reads the lengths, indices and slots of its live columns, and nothing else";
      if (offset >= -region.below && offset < region.above)
        return sim::at_word(moment, image, offset / 4, "no access", "a read", why);
      const Matrix<const std::int32_t>& slots = moment.batch().req_to_token;
      const std::int64_t element = (access.address - reinterpret_cast<const std::byte*>(slots.data)) / 4;
      const bool in_slots = element >= 0 && element < slots.rows * slots.row_stride;
      return sim::Violation{
          .place = {.text = in_slots ? fmt::format("req_to_token, row {}, position {}", element / slots.row_stride,
                                                   element % slots.row_stride / slots.col_stride)
                                     : std::string("an input besides req_to_token")},
          .expected = "no access",
          .got = "a read",
          .why = why};
    }
    return std::nullopt;
  }

  std::optional<sim::Violation> disturbed_run(Moment& moment) {
    live_.clear();
    for (std::int64_t r = 0; r < moment.extent().rows; ++r) live_.push_back(moment.expected().live(r));
    moment.inputs().disturb(moment.forward(), live_);
    const sim::Image& other = moment.rerun({});
    moment.inputs().disturb(moment.forward(), live_);
    return sim::differs(moment, moment.zone(), moment.first(), other, true,
                        "cells of req_to_token that lie between or after the first slots of live pages do not matter");
  }

  std::vector<std::int64_t> live_;
};

}  // namespace

std::unique_ptr<sim::Law> reads_only_live_cells() { return std::make_unique<ReadsOnlyLiveCells>(); }

}  // namespace pagestorm::props
