#pragma once
// What one lane found out.

#include <cstdint>

#include "hd.hpp"
#include "pagestorm/device_judge.hpp"

namespace pagestorm::judge {

struct Finding {
  std::uint32_t laws = 0;                 ///< broken
  std::uint32_t status = 0;               ///< bits that the status word must have
  std::uint64_t word = Verdict::nowhere;  ///< the lowest that breaks a law

  PAGESTORM_JUDGE_HD void require(bool holds, ImageLaw law, std::int64_t at) {
    if (holds) return;
    laws |= static_cast<std::uint32_t>(law);
    const auto here = static_cast<std::uint64_t>(at);
    if (here < word) word = here;
  }

  PAGESTORM_JUDGE_HD void add(const Finding& other) {
    laws |= other.laws;
    status |= other.status;
    if (other.word < word) word = other.word;
  }
};

}  // namespace pagestorm::judge
