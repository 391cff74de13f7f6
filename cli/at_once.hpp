#pragma once
// What a builder's process ended in, or did not end, is on disk and told before it is made smaller.

#include <functional>
#include <string>
#include <utility>

#include "result.hpp"
#include "sim/scenario.hpp"

namespace pagestorm::cli {

/// Told lines for people, as soon as there is something to say. Reports do not need them.
using Tell = std::function<void(const std::string& lines)>;

/// Two lines: who broke which law at `place` ("case 7") and why, and what there is to do about it.
std::string at_once_lines(const Failure& failure, const std::string& place, const std::string& why,
                          const std::string& then);

/// One failure while it is made smaller.
class AtOnce {
 public:
  /// Files go to folder `out`; `limits` are those of outside builders (AskedLimits::typed), and `tell` must outlive this.
  AtOnce(std::string out, std::string limits, const Tell& tell)
      : out_(std::move(out)), limits_(std::move(limits)), tell_(tell) {}

  /// Saves a failure as it was met, and tells; see at_once_lines().
  void keep(const Failure& failure, const sim::Finding& finding, const std::string& place, const std::string& why);

  bool told() const { return !place_.empty(); }

  /// Removes that file once the smaller failure is saved, or known already, and tells. Does nothing where none was kept.
  void give_way_to(const Failure& smaller);

 private:
  std::string out_, limits_;
  const Tell& tell_;
  std::string place_;
  std::string file_;  ///< empty when nothing was saved
};

}  // namespace pagestorm::cli
