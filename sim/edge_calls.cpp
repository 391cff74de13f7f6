#include "edge_calls.hpp"

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "edge_column.hpp"
#include "reference.hpp"
#include "rng.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::int64_t int32_limit = INT32_MAX;
constexpr std::int64_t fence = 64;  ///< elements around every output

/// All outputs of a call, fences included.
struct Outputs {
  std::vector<std::int32_t> keys, sum_q, sum_k, full, window;
  std::vector<std::int64_t> writes;
  std::uint32_t status = 0;
};

class EdgeCall {
 public:
  explicit EdgeCall(std::uint64_t seed) : rng_(seed) {
    draw_shapes();
    draw_inputs();
  }

  std::string judge(Builder& builder) {
    for (const std::uint64_t order : {0, 1, 2, 3})
      for (const int poison : {-1'000'003, 1'000'003}) {
        Outputs got = poisoned(poison);
        builder.run(Call{.batch = in_, .out = bind(got), .order = order});
        if (const std::string wrong = compare(got, expected(poison)); !wrong.empty()) return wrong;
      }
    return "";
  }

 private:
  std::int64_t one_of(std::initializer_list<std::int64_t> values) { return values.begin()[rng_.below(values.size())]; }
  bool once_in(std::uint64_t n) { return rng_.below(n) == 0; }
  std::int64_t up_to(std::int64_t most) {
    return static_cast<std::int64_t>(rng_.below(static_cast<std::uint64_t>(most) + 1));
  }
  std::int64_t stride() { return once_in(odd_strides_) ? 2 : 1; }

  void draw_shapes() {
    odd_strides_ = static_cast<std::uint64_t>(one_of({2, 6, 6, 12, 1'000'000}));
    in_.mode = static_cast<Mode>(rng_.below(mode_count));
    in_.entry = once_in(5) ? Entry::build : Entry::apply;
    in_.draft_step = static_cast<std::int32_t>(once_in(20) ? int32_limit : up_to(3));
    in_.tokens_per_row = static_cast<std::int32_t>(once_in(20) ? int32_limit : 1 + up_to(3));
    in_.has_cached_prefix = !once_in(3);
    in_.page_size =
        static_cast<std::int32_t>(one_of({1, 1, 1, 1, 1, 2, 3, 4, 7, 16, 48, 1000, 4095, 4096, 1 + up_to(4095)}));
    in_.rows = up_to(4);
    pool_rows_ = 1 + up_to(4);
    width_ = once_in(10) ? 0 : once_in(4) ? up_to(300) : up_to(20);
    const std::int64_t around = width_ * in_.page_size + up_to(4) - 2;
    columns_ = std::clamp<std::int64_t>(once_in(3) ? up_to(40) : around, 0, 5000);
    map_size_ = 1 + up_to(once_in(2) ? 8 : 120);
    swa_ = !once_in(4);
    room_ = up_to(8);
  }

  std::int64_t length() {
    const std::int64_t page = in_.page_size;
    if (once_in(2)) return up_to(std::min<std::int64_t>(columns_ + page, width_ * page + 3));
    return one_of({-2, -1, 0, 1, page - 1, page, page + 1, width_ * page - 1, width_ * page, width_ * page + 1,
                   columns_, columns_ + 1, int32_limit - 4, int32_limit - 2, int32_limit - 1, int32_limit,
                   int32_limit + 1, 2 * int32_limit + 7});
  }
  std::int64_t fresh() {
    return one_of({-2, -1, 0, 1, 2, 3, int32_limit - 1, int32_limit, int32_limit + 1, int64_limit_});
  }
  std::int64_t slot() {
    if (!once_in(odd_slots_)) return up_to(map_size_ - 1);
    return one_of({-2, -1, 0, map_size_ - 1, map_size_, map_size_ + 1, int32_limit, int32_limit - up_to(9000)});
  }
  std::int64_t entry() {
    const std::int64_t page = in_.page_size;
    if (!once_in(odd_entries_)) return up_to(5000);
    return one_of({-2, -1, 0, 1, page - 1, page, int32_limit - 1, int32_limit, int32_limit - up_to(9000),
                   page > 3 ? int32_limit + 1 + up_to(9000) : 5, page > 3 ? 2 * int32_limit + 9 : 7});
  }

  void draw_inputs() {
    odd_slots_ = static_cast<std::uint64_t>(one_of({2, 10, 60, 1'000'000}));
    odd_entries_ = static_cast<std::uint64_t>(one_of({2, 10, 60, 1'000'000}));
    const auto column = [&](Column& column, std::int64_t size, auto draw) {
      Numbers values(static_cast<std::size_t>(size));
      for (std::int64_t& value : values) value = draw();
      column.lay_out(values, once_in(2), stride());
    };
    column(indices_, in_.rows, [&] { return once_in(6) ? one_of({-1, pool_rows_}) : up_to(pool_rows_ - 1); });
    column(lengths_, in_.rows, [&] { return length(); });
    column(extends_, in_.rows, [&] { return fresh(); });
    column(locations_, up_to(8), [&] { return slot(); });
    column(map_, map_size_, [&] { return entry(); });
    slot_step_ = stride();
    slot_row_ = row_stride(columns_ * slot_step_);
    slots_.resize(static_cast<std::size_t>(pool_rows_ * slot_row_ + 4));
    for (std::int32_t& value : slots_) value = static_cast<std::int32_t>(slot());
    in_.req_to_token = {slots_.data() + skew(), pool_rows_, columns_, slot_row_, slot_step_};
    in_.req_pool_indices = indices_.view;
    in_.seq_lens = lengths_.view;
    in_.extend_seq_lens = extends_.view;
    in_.out_cache_loc = locations_.view;
    if (swa_) in_.full_to_swa = map_.view;
    vector_step_ = stride();
    full_step_ = stride();
    window_step_ = stride();
    full_row_ = row_stride(width_ * full_step_);
    window_row_ = row_stride(width_ * window_step_);
    full_first_ = fence + skew();
    window_first_ = fence + skew();
  }

  // Memory that begins where no four can be moved.
  std::int64_t skew() { return once_in(8) ? up_to(3) : 0; }

  // Often a multiple of four, as rows are that can be moved four cells at a time.
  std::int64_t row_stride(std::int64_t cells) { return once_in(4) ? cells + up_to(3) : (cells + 3) / 4 * 4; }

  Outputs poisoned(std::int32_t poison) const {
    const auto cells = [](std::int64_t count) { return static_cast<std::size_t>(count + 2 * fence); };
    const std::int64_t rows = in_.rows;
    return {.keys = std::vector<std::int32_t>(cells(rows * vector_step_), poison),
            .sum_q = std::vector<std::int32_t>(cells((rows + 1) * vector_step_), poison),
            .sum_k = std::vector<std::int32_t>(cells((rows + 1) * vector_step_), poison),
            .full = std::vector<std::int32_t>(cells(rows * full_row_), poison),
            .window = std::vector<std::int32_t>(cells(rows * window_row_), poison),
            .writes = std::vector<std::int64_t>(cells(room_ * vector_step_), poison)};
  }

  Metadata bind(Outputs& outputs) const {
    Metadata out;
    out.cache_seqlens = {outputs.keys.data() + fence, in_.rows, vector_step_};
    out.cu_seqlens_q = {outputs.sum_q.data() + fence, in_.rows + 1, vector_step_};
    out.cu_seqlens_k = {outputs.sum_k.data() + fence, in_.rows + 1, vector_step_};
    out.page_table = {outputs.full.data() + full_first_, in_.rows, width_, full_row_, full_step_};
    if (swa_) out.swa_page_table = {outputs.window.data() + window_first_, in_.rows, width_, window_row_, window_step_};
    if (swa_) out.swa_out_cache_loc = {outputs.writes.data() + fence, room_, vector_step_};
    out.status = &outputs.status;
    return out;
  }

  Outputs expected(std::int32_t poison) {
    Outputs all = poisoned(poison);
    const auto at = [](std::int64_t element) { return static_cast<std::size_t>(fence + element); };
    reference_.compute(in_, width_, room_);
    for (std::int64_t row = 0; row < in_.rows; ++row) {
      for (std::int64_t c = 0; c < reference_.live(row); ++c) {
        const PagePair pages = reference_.page(row, c);
        all.full[static_cast<std::size_t>(full_first_ + row * full_row_ + c * full_step_)] = pages.full;
        if (swa_)
          all.window[static_cast<std::size_t>(window_first_ + row * window_row_ + c * window_step_)] = pages.swa;
      }
      if (reference_.sums()) all.keys[at(row * vector_step_)] = reference_.keys(row);
    }
    for (std::int64_t i = 0; reference_.sums() && i <= in_.rows; ++i) {
      all.sum_q[at(i * vector_step_)] = reference_.sum_q(i);
      all.sum_k[at(i * vector_step_)] = reference_.sum_k(i);
    }
    for (std::int64_t i = 0; reference_.sums() && swa_ && i < room_; ++i)
      all.writes[at(i * vector_step_)] = reference_.write_slot(i);
    all.status = reference_.status();
    return all;
  }

  static std::string compare(const Outputs& got, const Outputs& expected) {
    const auto differs = [](const char* name, bool same) {
      return same ? "" : std::string(name) + ": not as the contract says";
    };
    for (const std::string& wrong :
         {differs("cache_seqlens", got.keys == expected.keys), differs("cu_seqlens_q", got.sum_q == expected.sum_q),
          differs("cu_seqlens_k", got.sum_k == expected.sum_k), differs("page_table", got.full == expected.full),
          differs("swa_page_table", got.window == expected.window),
          differs("swa_out_cache_loc", got.writes == expected.writes),
          got.status == expected.status
              ? ""
              : "status: is " + std::to_string(got.status) + ", and must be " + std::to_string(expected.status)})
      if (!wrong.empty()) return wrong;
    return "";
  }

  static constexpr std::int64_t int64_limit_ = INT64_MAX;
  Rng rng_;
  Batch in_;
  std::int64_t pool_rows_ = 1, columns_ = 0, width_ = 0, map_size_ = 1, room_ = 0;
  std::int64_t slot_step_ = 1, slot_row_ = 0, vector_step_ = 1, full_step_ = 1, window_step_ = 1;
  std::int64_t full_row_ = 0, window_row_ = 0, full_first_ = fence, window_first_ = fence;
  std::uint64_t odd_slots_ = 2, odd_entries_ = 2, odd_strides_ = 2;  ///< one in so many
  bool swa_ = false;
  Column indices_, lengths_, extends_, locations_, map_;
  std::vector<std::int32_t> slots_;
  Reference reference_;
};

}  // namespace

std::string wrong_edge_call(Builder& builder, std::uint64_t seed) { return EdgeCall(seed).judge(builder); }

}  // namespace pagestorm::sim
