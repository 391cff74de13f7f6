#include "edge_contents.hpp"

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "fit.hpp"
#include "pagestorm/ids.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::int64_t int32_limit = INT32_MAX;
constexpr std::int64_t least_room = 8;  ///< tokens of a table: enough for a row that nothing is odd about
constexpr std::int64_t most_added = 4;  ///< tokens that an ordinary mode adds

class Contents {
 public:
  Contents(Rng& rng, const EdgeShape& shape, const Promise& promise, bool odd, Inputs& inputs)
      : rng_(rng), shape_(shape), config_(shape.config), promise_(promise), inputs_(inputs) {
    for (bool* kind : {&odd_lengths_, &odd_extends_, &odd_rows_, &odd_slots_, &odd_map_, &odd_scalars_})
      *kind = odd && rng_.one_in(2);
  }

  Forward draw() {
    if (config_.swa) map_pages();
    for (std::int64_t row = 1; row <= config_.requests; ++row) fill(row);
    Forward forward{.mode = static_cast<Mode>(rng_.below(mode_count)), .has_cached_prefix = !rng_.one_in(3)};
    const bool many = forward.mode == Mode::target_verify || forward.mode == Mode::draft_extend;
    forward.draft_step = forward.mode == Mode::draft_decode ? scalar(0) : 0;
    forward.tokens_per_row = many ? scalar(1) : 1;
    forward.real_rows = rng_.between(1, config_.requests);
    for (std::int64_t r = 0; r < forward.real_rows; ++r) forward.rows.push_back(row());
    forward.written = forward.write_slots();
    return forward;
  }

 private:
  std::int64_t one_of(std::initializer_list<std::int64_t> values) { return values.begin()[rng_.below(values.size())]; }
  std::int64_t some_row() { return rng_.between(1, config_.requests); }
  std::int64_t scalar(std::int64_t least) {
    return odd_scalars_ && rng_.one_in(2) ? int32_limit : rng_.between(least, most_added - 1);
  }

  static std::int64_t told(std::int64_t value, IntType type) {
    return type == IntType::int64 ? value : std::clamp<std::int64_t>(value, INT32_MIN, INT32_MAX);
  }

  // A map value below 0 is excused by no promise, but whoever declares less than the contract has no engine that holds one.
  void map_pages() {
    const bool negative = promise_.bad_indices && promise_.absent == Becomes::contract;
    std::vector<std::int32_t> pages, swa_pages;
    for (std::int64_t page = 1; page <= config_.pages; ++page) {
      const std::int64_t odd = negative && rng_.one_in(2) ? -2 : sink;
      const std::int64_t own = rng_.between(1, config_.swa_pages);
      pages.push_back(static_cast<std::int32_t>(page));
      swa_pages.push_back(static_cast<std::int32_t>(odd_map_ && rng_.one_in(4) ? odd : own));
    }
    inputs_.map_pages(pages, swa_pages);
  }

  void fill(std::int64_t row) {
    std::vector<std::int32_t> pages;
    for (std::int64_t first = 0; first < config_.columns(); first += config_.page_size)
      pages.push_back(static_cast<std::int32_t>(rng_.between(1, config_.pages)));
    inputs_.write_slots(row, 0, config_.columns(), pages);
    for (std::int64_t p = 0; odd_slots_ && p < config_.columns(); ++p)
      if (rng_.one_in(4)) inputs_.write_value(row, p, odd_slot(), 1);
  }

  std::int32_t odd_slot() {
    const std::int64_t slots = (config_.pages + 1) * config_.page_size;
    return static_cast<std::int32_t>(
        one_of({-1, -2, slots, slots + 1, int32_limit, int32_limit - rng_.between(1, 9000)}));
  }

  ForwardRow row() {
    const Layout& layout = config_.layout;
    ForwardRow row{.owner = some_row(), .pool_row = some_row(), .length = length()};
    if (odd_rows_ && rng_.one_in(2)) row.pool_row = one_of({-1, config_.request_rows(), std::int64_t{1} << 32});
    row.new_tokens = rng_.between(1, most_added - 1);
    if (odd_extends_ && rng_.one_in(2)) row.new_tokens = one_of({-2, -1, 0, int32_limit, int32_limit + 1});
    row.first_write = rng_.between(0, config_.columns() - most_added);
    row.writes = rng_.between(0, most_added - 1);
    row.pool_row = told(row.pool_row, layout.index_type);
    row.length = row.committed = told(row.length, layout.length_type);
    row.new_tokens = told(row.new_tokens, layout.length_type);
    return row;
  }

  std::int64_t length() {
    const std::int64_t page = config_.page_size;
    const std::int64_t room = shape_.width * page;
    const std::int64_t columns = config_.columns();
    const std::int64_t ordinary = rng_.between(0, std::min(columns, room) - most_added);
    if (!odd_lengths_ || rng_.one_in(2)) return ordinary;
    return one_of({-2, -1, 0, page - 1, page, page + 1, room - 1, room, room + 1, columns, columns + 1, columns + page,
                   int32_limit - 3, int32_limit, int32_limit + 1, 2 * int32_limit + 7});
  }

  Rng& rng_;
  const EdgeShape& shape_;
  const Config& config_;
  const Promise& promise_;
  Inputs& inputs_;
  bool odd_lengths_ = false, odd_extends_ = false, odd_rows_ = false;
  bool odd_slots_ = false, odd_map_ = false, odd_scalars_ = false;
};

}  // namespace

EdgeShape edge_shape(Rng& rng, const Promise& promise) {
  Config config{.page_size = std::int64_t{1} << rng.between(0, 4), .requests = rng.between(1, 4), .draft_tokens = 1};
  config.draft_steps = 1;
  config.context = rng.between(1, 3 * config.page_size + 20);
  config.pages = config.swa_pages = rng.between(8, 60);
  config.swa = !rng.one_in(4);
  config.layout.write_room = rng.between(-2, 4);
  EdgeShape shape{fit({config, {}}, promise).scenario.config};
  const std::int64_t page = shape.config.page_size;
  const std::int64_t of_row = (shape.config.columns() + page - 1) / page;
  const std::int64_t least = (least_room + page - 1) / page + 1;  // no ordinary row fills all tables
  shape.width = std::max(least, rng.one_in(2) ? of_row + rng.between(0, 4) : rng.between(1, of_row));
  return shape;
}

Forward edge_contents(Rng& rng, const EdgeShape& shape, const Promise& promise, bool odd, Inputs& inputs) {
  return Contents(rng, shape, promise, odd, inputs).draw();
}

}  // namespace pagestorm::sim
