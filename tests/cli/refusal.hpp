#pragma once
// How the program says that it cannot do something.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "run.hpp"

namespace pagestorm::cli {

/// The program ended with `code` and one line on stderr, its own, that holds `says`.
inline void expect_refusal(const Ran& ran, int code, const std::string& says) {
  EXPECT_EQ(ran.code, code) << ran.out << ran.err;
  const std::vector<std::string> lines = lines_of(ran.err);
  ASSERT_EQ(lines.size(), 1u) << ran.err;
  EXPECT_TRUE(lines[0].starts_with("pagestorm: ")) << ran.err;
  EXPECT_NE(lines[0].find(says), std::string::npos) << ran.err << "lacks " << says;
}

}  // namespace pagestorm::cli
