#pragma once
// A pure model of the engine: who is alive, how long, which pages they own. It tells the device memory what the engine
// would, and knows the truth that laws compare with.

#include <cstdint>
#include <optional>
#include <vector>

#include "forward.hpp"
#include "inputs.hpp"
#include "pool.hpp"
#include "scenario.hpp"

namespace pagestorm::sim {

/// A live request.
struct Request {
  std::int64_t serial = 0;               ///< how many were admitted before it
  std::int64_t row = 0;                  ///< its row of req_to_token
  std::int64_t length = 0;               ///< tokens committed
  std::int64_t written = 0;              ///< positions of its row that hold slots of its own
  std::optional<std::int64_t> verified;  ///< length at the last verify, until its draft extend
  std::vector<std::int32_t> pages;       ///< page ids of the full pool, by column
  std::vector<std::int32_t> swa_pages;   ///< page ids of the SWA pool, by column; 0 = none
  std::int64_t evicted_pages = 0;        ///< columns below have given their SWA page back
  std::vector<std::int64_t> punctured;   ///< columns whose slot was taken from req_to_token

  /// A request of no tokens again; storage is kept.
  void clear() {
    serial = row = length = written = evicted_pages = 0;
    verified.reset();
    pages.clear();
    swa_pages.clear();
    punctured.clear();
  }
};

/// What became of a step.
enum class Outcome : std::uint8_t { no_op, changed, batch };

class World {
 public:
  /// Starts a scenario over `inputs`, which must outlive the world's use.
  void start(const Config& config, Inputs& inputs);

  /// Applies one step. With Outcome::batch, forward() is what the device is asked for; the world already stands after
  /// it. A step that cannot apply changes nothing.
  Outcome apply(const Step& step);

  const Config& config() const { return config_; }
  const Forward& forward() const { return forward_; }
  const std::vector<Request>& requests() const { return live_; }
  std::int64_t live_pages() const { return full_.pages() - full_.free(); }

 private:
  bool admit(std::int64_t tokens);
  bool run(const Step& step);
  bool idle(const Step& step);
  bool evict();
  bool finish(std::int64_t who);
  bool puncture(std::int64_t who, std::int64_t page);
  bool select(const Step& step);
  bool fits(const Step& step, std::int64_t& full_pages, std::int64_t& swa_pages);
  std::int64_t tokens_after(const Step& step, const Request& request, std::int64_t position) const;
  void add_row(const Step& step, std::size_t index, std::int64_t position);
  void pad(std::int64_t to);
  void make_odd(const Step& step);
  std::int64_t new_columns(const Request& request, std::int64_t tokens) const;
  std::int64_t new_swa_columns(const Request& request, std::int64_t tokens, std::int64_t base) const;
  void grow(Request& request, std::int64_t tokens, std::int64_t base);
  void fence_off(const Request& request);
  std::int64_t first_windowed_column(std::int64_t base) const;

  Config config_;
  Inputs* inputs_ = nullptr;
  PagePool full_, swa_;
  std::vector<Request> live_;
  std::vector<std::int64_t> free_rows_;
  std::vector<std::size_t> chosen_;
  std::vector<Request> spare_;  ///< finished requests, for their storage
  std::int64_t admitted_ = 0;
  Forward forward_;
};

}  // namespace pagestorm::sim
