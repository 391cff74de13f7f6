#include "at_once.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "options.hpp"
#include "save.hpp"

namespace pagestorm::cli {

std::string at_once_lines(const Failure& failure, const std::string& place, const std::string& why,
                          const std::string& then) {
  return fmt::format("{} is VIOLATED by {} ({}): {}\n  {}", failure.law, failure.builder, place, why, then);
}

void AtOnce::keep(const Failure& failure, const sim::Finding& finding, const std::string& place,
                  const std::string& why) {
  Failure kept = failure;
  cli::keep(kept, finding, out_, limits_);
  place_ = place;
  file_ = kept.file;
  const std::string how = kept.file.empty() ? "not saved: " + kept.save_error : kept.replay;
  tell_(at_once_lines(failure, place, why, "now it is made smaller; as it is: " + how));
}

void AtOnce::give_way_to(const Failure& smaller) {
  if (file_.empty() || !smaller.save_error.empty()) return;
  if (file_ != smaller.file) std::remove(file_.c_str());
  const std::string how = smaller.file.empty() ? "the same as one before" : smaller.replay;
  tell_(
      fmt::format("  {} in {} steps, after {}: {}", place_, smaller.steps_after, show_seconds(smaller.shrink_s), how));
  file_.clear();
}

}  // namespace pagestorm::cli
