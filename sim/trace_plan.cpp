#include "trace_plan.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>
#include <unordered_set>
#include <utility>

namespace pagestorm::sim {
namespace {

constexpr std::int64_t context_least = 4096;
constexpr std::int64_t context_most = std::int64_t{1} << 20;
constexpr std::int64_t pages_most = std::int64_t{1} << 24;
constexpr std::int64_t pool_tokens_most = std::int64_t{1} << 28;

std::vector<std::size_t> by_arrival(std::span<const TraceRequest> requests) {
  std::vector<std::size_t> order(requests.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return requests[a].arrival_s < requests[b].arrival_s; });
  return order;
}

// What a prefix cache would have that never forgets.
class SeenBlocks {
 public:
  /// Blocks at the start of the request that are there; all of them are from now on.
  std::int64_t admit(const TraceRequest& request, DrivePlan& plan) {
    std::int64_t leading = 0;
    bool broken = false;
    for (const std::int64_t id : request.prefix_blocks) {
      const bool hit = seen_.contains(id);
      plan.blocks_hit += hit ? 1 : 0;
      broken = broken || !hit;
      leading += broken ? 0 : 1;
    }
    plan.repeated += !request.prefix_blocks.empty() && !broken ? 1 : 0;
    plan.blocks += static_cast<std::int64_t>(request.prefix_blocks.size());
    seen_.insert(request.prefix_blocks.begin(), request.prefix_blocks.end());
    return leading;
  }

 private:
  std::unordered_set<std::int64_t> seen_;
};

}  // namespace

std::int64_t context_for(std::span<const TraceRequest> requests) {
  std::int64_t longest = context_least;
  for (const TraceRequest& request : requests)
    longest = std::max(longest, std::min(context_most, request.input_tokens + request.output_tokens));
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(longest)));
}

DrivePlan plan_drive(std::span<const TraceRequest> requests, const DriveOptions& options) {
  DrivePlan plan;
  SeenBlocks seen;
  for (const std::size_t index : by_arrival(requests)) {
    const TraceRequest& request = requests[index];
    const std::int64_t length = request.input_tokens + request.output_tokens;
    DriveRequest drive{.arrival_s = options.saturated ? 0 : request.arrival_s,
                       .input = std::min(request.input_tokens, options.context),
                       .target = std::min(length, options.context),
                       .blocks = request.prefix_blocks};
    // Even when everything is cached, the last token must run to yield the next one.
    const std::int64_t most_cached = std::max<std::int64_t>(0, drive.input - 1);
    drive.cached = std::min(block_tokens * seen.admit(request, plan), most_cached);
    plan.tokens_in += request.input_tokens;
    plan.tokens_out += request.output_tokens;
    plan.tokens_cached += drive.cached;
    plan.clipped += length > options.context ? 1 : 0;
    plan.requests.push_back(std::move(drive));
  }
  return plan;
}

std::vector<DriveRequest> share_of(const DrivePlan& plan, std::size_t first, std::size_t of) {
  std::vector<DriveRequest> share;
  for (std::size_t i = first; i < plan.requests.size(); i += of) share.push_back(plan.requests[i]);
  return share;
}

std::int64_t pages_for_one(const DriveRequest& request, const DriveOptions& options) {
  // A loop that starts just before the end still looks ahead, twice as far as the host knows.
  const Config config = config_of(options);
  const std::int64_t ahead = 2 * std::max({options.draft_tokens, options.draft_steps, config.branch_room()});
  const std::int64_t tokens = std::min(config.columns(), request.target + ahead);
  return (tokens + options.page_size - 1) / options.page_size;
}

std::size_t largest(std::span<const DriveRequest> requests, const DriveOptions& options) {
  const auto found = std::ranges::max_element(
      requests, {}, [&](const DriveRequest& request) { return pages_for_one(request, options); });
  assert(found != requests.end());
  return static_cast<std::size_t>(found - requests.begin());
}

Config config_of(const DriveOptions& options) {
  Config config{.page_size = options.page_size,
                .context = options.context,
                .requests = options.batch,
                .swa = options.swa,
                .window = options.window,
                .draft_tokens = options.draft_tokens,
                .draft_steps = options.draft_steps,
                .pool_seed = options.seed,
                .cache = options.cache,
                .branch = block_tokens,
                .retract = true,
                .flash = options.flash,
                .top_k = options.top_k,
                .chunk = options.local_chunk,
                .whole_mask = options.whole_mask};
  const std::int64_t row_pages = (config.columns() + config.page_size - 1) / config.page_size;
  const std::int64_t most = std::min(pages_most, pool_tokens_most / config.page_size);
  const std::int64_t pages = options.cache ? most : std::min(options.batch * row_pages, most);
  config.pages = options.pool_pages > 0 ? options.pool_pages : pages;
  config.swa_pages = options.swa_pool_pages > 0 ? options.swa_pool_pages : pages;
  for (std::int64_t rows = 1; rows < options.batch; rows *= 2) config.buckets.push_back(rows);
  config.buckets.push_back(options.batch);
  // The whole table of a long context is mostly dead; what lies beside live cells is judged.
  config.layout.sweep = false;
  return config;
}

}  // namespace pagestorm::sim
