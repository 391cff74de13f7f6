#pragma once
// Which words of an image one call may write, and which are looked at afterwards.

#include <span>
#include <vector>

#include "flash/reference.hpp"
#include "image.hpp"
#include "reference.hpp"

namespace pagestorm::sim {

/// The words that a call must write, and the surroundings that are judged. Costs follow the live cells, not the size of
/// the image, unless the layout asks for a sweep of the whole tables.
class Zone {
 public:
  static constexpr std::int64_t margin = 32;  ///< cells judged after a live prefix

  /// Words about which the reference's promise says nothing are neither live nor judged.
  void compute(const ImageLayout& layout, const Extent& extent, Reference& expected);

  /// The same for an operation of the FlashAttention family.
  void compute(const ImageLayout& layout, const FlashReference& expected);

  /// Judged words, ascending, disjoint.
  std::span<const Range> judged() const { return judged_; }

  /// The same, in bytes.
  std::span<const Window> windows() const { return windows_; }

  /// Words that must be written, ascending, disjoint; the status word is among them.
  std::span<const Range> live() const { return live_; }

  /// Judged words that must not be written, ascending, disjoint.
  std::span<const Range> untouchable() const { return untouchable_; }

  /// Words that would be judged but for the promise, ascending, disjoint.
  std::span<const Range> left_out() const { return left_out_; }

  /// Judged words in all.
  std::int64_t size() const;

 private:
  void judge(std::int64_t first, std::int64_t last);
  void add_vector(const Section& section, std::int64_t used, bool written);
  template <class Expected>
  void add_table(const ImageLayout& layout, const Section& table, const Expected& expected);
  void begin(const ImageLayout& layout);
  void end();
  void subtract();
  void leave_out(const ImageLayout& layout, const Extent& extent, Reference& expected);

  std::int64_t end_ = 0;  ///< words of the image
  std::vector<Range> judged_, live_, untouchable_, left_out_;
  std::vector<Window> windows_;
};

}  // namespace pagestorm::sim
