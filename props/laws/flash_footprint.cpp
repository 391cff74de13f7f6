#include "flash_footprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/flash/checks.hpp"

namespace pagestorm::props {
namespace {

using Elements = std::vector<std::int64_t>;

// The element of an array that begins at an address; -1 of an address that is none.
std::int64_t element_at(const void* data, std::int64_t bytes, std::int64_t stride, const std::byte* at) {
  const std::int64_t offset = at - static_cast<const std::byte*>(data);
  if (data == nullptr || offset < 0 || offset % (bytes * stride) != 0) return -1;
  return offset / (bytes * stride);
}

std::int64_t element_at(const IntVector& vector, const std::byte* at) {
  return element_at(vector.data, vector.type == IntType::int64 ? 8 : 4, vector.stride, at);
}

class Footprint {
 public:
  explicit Footprint(const sim::FlashMoment& moment) : batch_(moment.batch()), reads_(moment.expected().reads()) {
    for (Elements* list : {&reads_.cells, &reads_.slots, &reads_.tokens, &reads_.lines})
      std::sort(list->begin(), list->end());
  }

  bool allows(const std::byte* at) const {
    const bool tabled =
        batch_.op != FlashOp::draft_expand && batch_.op != FlashOp::verify_expand && batch_.op != FlashOp::schedule;
    const bool prompts = batch_.op == FlashOp::prompt_window || has_encoder(batch_.op);
    return is_row(batch_.seq_lens, at) || (tabled && is_row(batch_.req_pool_indices, at)) ||
           (batch_.op == FlashOp::local_blocks && is_row(batch_.query_lens, at)) ||
           (prompts && is_row(batch_.prompt_lens, at)) || has(reads_.tokens, element_at(batch_.out_cache_loc, at)) ||
           has(reads_.slots, element_at(batch_.full_to_swa, at)) ||
           has(reads_.cells, element_at(batch_.req_to_token.data, 4, 1, at)) || is_mask(at);
  }

 private:
  bool is_row(const IntVector& vector, const std::byte* at) const {
    const std::int64_t row = element_at(vector, at);
    return row >= 0 && row < batch_.rows;
  }
  static bool has(const Elements& sorted, std::int64_t element) {
    return std::binary_search(sorted.begin(), sorted.end(), element);
  }
  bool is_mask(const std::byte* at) const {
    const std::int64_t element = element_at(batch_.tree_mask.data, 1, batch_.tree_mask.stride, at);
    const auto after = std::upper_bound(reads_.lines.begin(), reads_.lines.end(), element);
    return after != reads_.lines.begin() && element < *std::prev(after) + batch_.tokens_per_row &&
           element < batch_.tree_mask.size;
  }

  FlashBatch batch_;
  sim::FlashReference::Reads reads_;
};

}  // namespace

std::optional<sim::Violation> read_in_vain(sim::FlashMoment& moment) {
  const sim::Image& image = moment.rerun({});
  const Footprint footprint(moment);
  for (const Access& access : moment.builder().accesses()) {
    if (access.write || footprint.allows(access.address)) continue;
    return sim::Violation{.place = {.text = fmt::format("an input of {}", sim::name_of(moment.ask().op))},
                          .expected = "no access",
                          .got = "a read",
                          .why = fmt::format("an operation reads what decides its live cells, and nothing else{}",
                                             access.address >= image.region().base &&
                                                     access.address < image.region().base + image.region().above
                                                 ? "; this is an output"
                                                 : "")};
  }
  return std::nullopt;
}

}  // namespace pagestorm::props
