#include "edge_calls.hpp"

#include <algorithm>
#include <vector>

#include "edge_inputs.hpp"
#include "reference.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::int64_t fence = 64;  ///< elements around every output

/// All outputs of a call, fences included.
struct Outputs {
  std::vector<std::int32_t> prefixes, keys, sum_q, sum_k, table, schedule;
  std::uint32_t status = 0;
};

std::size_t at(std::int64_t element) { return static_cast<std::size_t>(fence + element); }

class FlashEdgeCall {
 public:
  explicit FlashEdgeCall(std::uint64_t seed) : inputs_(seed) {
    const bool scheduled = in().op == FlashOp::schedule;
    reference_.compute(in(), inputs_.room(), inputs_.width(), scheduled ? inputs_.schedule() : 0);
  }

  std::string judge(Builder& builder) const {
    for (const std::uint64_t order : {0, 1, 2, 3})
      for (const int poison : {-1'000'003, 1'000'003}) {
        Outputs got = poisoned(poison);
        builder.run(FlashCall{.batch = in(), .out = bind(got), .order = order});
        if (const std::string wrong = compare(got, expected(poison)); !wrong.empty()) return wrong;
      }
    return "";
  }

 private:
  const FlashBatch& in() const { return inputs_.batch(); }

  Outputs poisoned(std::int32_t poison) const {
    const auto cells = [&](std::int64_t count) {
      return std::vector<std::int32_t>(static_cast<std::size_t>(count + 2 * fence), poison);
    };
    const std::int64_t step = inputs_.vector_step(), room = inputs_.room();
    return {.prefixes = cells(in().rows * step),
            .keys = cells(room * step),
            .sum_q = cells((room + 1) * step),
            .sum_k = cells((room + 1) * step),
            .table = cells(room * inputs_.table_row()),
            .schedule = cells(inputs_.schedule() * step)};
  }

  FlashMetadata bind(Outputs& outputs) const {
    const std::int64_t step = inputs_.vector_step(), room = inputs_.room();
    FlashMetadata out;
    out.prefix_seqlens = {outputs.prefixes.data() + fence, in().rows, step};
    out.cache_seqlens = {outputs.keys.data() + fence, room, step};
    out.cu_seqlens_q = {outputs.sum_q.data() + fence, room + 1, step};
    out.cu_seqlens_k = {outputs.sum_k.data() + fence, room + 1, step};
    out.page_table = {outputs.table.data() + fence, room, inputs_.width(), inputs_.table_row(), inputs_.table_step()};
    out.schedule = {outputs.schedule.data() + fence, inputs_.schedule(), step};
    out.status = &outputs.status;
    return out;
  }

  Outputs expected(std::int32_t poison) const {
    Outputs all = poisoned(poison);
    const std::int64_t step = inputs_.vector_step();
    for (std::int64_t row = 0; row < reference_.prefixes(); ++row)
      all.prefixes[at(row * step)] = reference_.prefix(row);
    all.sum_q[at(0)] = all.sum_k[at(0)] = 0;
    for (std::int64_t row = 0; row < reference_.rows(); ++row) {
      all.keys[at(row * step)] = reference_.keys(row);
      all.sum_q[at((row + 1) * step)] = reference_.sum_q(row + 1);
      all.sum_k[at((row + 1) * step)] = reference_.sum_k(row + 1);
      for (std::int64_t c = 0; c < reference_.live(row); ++c)
        all.table[at(row * inputs_.table_row() + c * inputs_.table_step())] =
            reference_.cells(row)[static_cast<std::size_t>(c)];
    }
    for (std::size_t i = 0; i < reference_.schedule().size(); ++i)
      all.schedule[at(static_cast<std::int64_t>(i) * step)] = reference_.schedule()[i];
    all.status = reference_.status();
    return all;
  }

  static std::string compare(const Outputs& got, const Outputs& expected) {
    const auto differs = [](const char* name, bool same) {
      return same ? "" : std::string(name) + ": not as the contract says";
    };
    for (const std::string& wrong :
         {differs("prefix_seqlens", got.prefixes == expected.prefixes),
          differs("cache_seqlens", got.keys == expected.keys), differs("cu_seqlens_q", got.sum_q == expected.sum_q),
          differs("cu_seqlens_k", got.sum_k == expected.sum_k), differs("page_table", got.table == expected.table),
          differs("schedule", got.schedule == expected.schedule),
          got.status == expected.status
              ? ""
              : "status: is " + std::to_string(got.status) + ", and must be " + std::to_string(expected.status)})
      if (!wrong.empty()) return wrong;
    return "";
  }

  FlashEdgeInputs inputs_;
  FlashReference reference_;
};

}  // namespace

std::string wrong_flash_edge_call(Builder& builder, std::uint64_t seed) { return FlashEdgeCall(seed).judge(builder); }

}  // namespace pagestorm::sim
