#include "bench_family.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

namespace pagestorm::cli {
namespace {

struct FamilyShape {
  std::string_view what;
  TimedFlash shape;
};

// What engines ask for: 64 rows under way, top-k 4, 16 draft tokens, contexts of 4,096 to 131,072 tokens.
constexpr FamilyShape shapes[] = {
    {"draft_expand, k 4, step 4",
     {.op = FlashOp::draft_expand, .rows = 64, .length = 4095, .page_size = 1, .branches = 4, .draft_steps = 5}},
    {"draft_expand, k 8, step 4",
     {.op = FlashOp::draft_expand, .rows = 256, .length = 4095, .page_size = 64, .branches = 8, .draft_steps = 5}},
    {"verify_expand, N 16", {.op = FlashOp::verify_expand, .rows = 64, .length = 4096, .tokens_per_row = 16}},
    {"verify_expand, N 64", {.op = FlashOp::verify_expand, .rows = 256, .length = 4096, .tokens_per_row = 64}},
    {"merged_verify, N 16", {.op = FlashOp::merged_verify, .rows = 64, .length = 4096, .tokens_per_row = 16}},
    {"merged_verify, N 16, window 1,024",
     {.op = FlashOp::merged_verify, .rows = 64, .length = 4096, .tokens_per_row = 16, .window = 1024, .swa = true}},
    {"local_blocks, decode, chunk 8,192",
     {.op = FlashOp::local_blocks, .rows = 64, .length = 32'768, .page_size = 64, .tokens_per_row = 1, .chunk = 8192}},
    {"local_blocks, prefill, chunk 8,192",
     {.op = FlashOp::local_blocks,
      .rows = 8,
      .length = 131'072,
      .page_size = 64,
      .tokens_per_row = 131'072,
      .chunk = 8192}},
    {"prompt_window, p 1,024, window 4,096",
     {.op = FlashOp::prompt_window, .rows = 64, .length = 32'768, .window = 4096, .prompt = 1024, .swa = true}},
    {"encoder_table, e 2,048", {.op = FlashOp::encoder_table, .rows = 64, .length = 4096, .prompt = 2048}},
    {"text_table, e 2,048", {.op = FlashOp::text_table, .rows = 64, .length = 4096, .prompt = 2048}},
    {"schedule, splits of 512", {.op = FlashOp::schedule, .rows = 256, .length = 32'768, .chunk = 512}},
};

}  // namespace

double floor_of(const TimedFlashCall& call, const DeviceRates& rates) {
  constexpr double microseconds = 1e6;
  return rates.empty.graph.median + static_cast<double>(call.bytes) / rates.copy_bytes * microseconds +
         static_cast<double>(call.gathers) / rates.gathers * microseconds;
}

nlohmann::json bench_family(const DeviceRates& rates, int repeats) {
  fmt::print("\nthe FlashAttention family, µs\n{:<38} {:>5} {:>7} {:>4}  {:>7} {:>7} {:>7}  {:>6}  {:>7} {:>6}\n",
             "operation", "rows", "length", "page", "graph", "least", "most", "eager", "floor", "over");
  nlohmann::json figures = nlohmann::json::array();
  for (const FamilyShape& one : shapes) {
    const TimedFlashCall call = device_time(one.shape, repeats);
    const Spread& graph = call.call.graph;
    const double floor = floor_of(call, rates);
    fmt::print("{:<38} {:>5} {:>7} {:>4}  {:>7.2f} {:>7.2f} {:>7.2f}  {:>6.2f}  {:>7.2f} {:>6.2f}\n", one.what,
               one.shape.rows, one.shape.length, one.shape.page_size, graph.median, graph.least, graph.most,
               call.call.eager.median, floor, graph.median / floor);
    figures.push_back({{"operation", one.what},
                       {"rows", one.shape.rows},
                       {"length", one.shape.length},
                       {"page_size", one.shape.page_size},
                       {"graph_us", {{"median", graph.median}, {"least", graph.least}, {"most", graph.most}}},
                       {"eager_us", call.call.eager.median},
                       {"bytes", call.bytes},
                       {"look_ups", call.gathers},
                       {"floor_us", floor}});
  }
  return figures;
}

}  // namespace pagestorm::cli
