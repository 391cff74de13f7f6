// The main of the property tests: decides RapidCheck's seed before RapidCheck reads its environment.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "props/gen/arbitrary.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  try {
    const std::string params =
        pagestorm::props::rapidcheck_params(std::getenv("RC_PARAMS"), std::getenv("PAGESTORM_SEED"));
    setenv("RC_PARAMS", params.c_str(), 1);
    std::printf("%s\n", pagestorm::props::announcement(params).c_str());
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  return RUN_ALL_TESTS();
}
