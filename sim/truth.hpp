#pragma once
// The SWA pages that the world gave out, as a table that judges elsewhere can be sent.

#include <cstdint>
#include <span>
#include <vector>

#include "memory.hpp"
#include "pagestorm/device_judge.hpp"
#include "world.hpp"

namespace pagestorm::sim {

/// A row for each request row, a column for each column of pages. Remembers what changed, like Inputs. Rows are written
/// when they are asked for: what nobody judges by is not kept up.
class Truth {
 public:
  /// Starts a scenario: nothing is known.
  void lay_out(const Config& config);

  /// Brings the row of a request up to date, and returns its number.
  std::int64_t note(const Request& request);

  Region region() const { return memory_.region(); }
  Matrix<const std::int32_t> owned() const { return owned_; }
  std::span<const Window> changed() const { return changed_; }
  void forget_changes() { changed_.clear(); }

 private:
  Memory memory_;
  Matrix<const std::int32_t> owned_;
  std::vector<std::int64_t> known_;  ///< columns of each row that were written in this scenario
  std::vector<std::int32_t> cells_;
  std::vector<Window> changed_;
};

}  // namespace pagestorm::sim
