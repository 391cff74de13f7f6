// Debian 12's static libstdc++ draws std::random_device from arc4random, which glibc has from 2.36 on. Programs built with
// static_deps bring their own, so that they start on machines with glibc 2.35.

#include <sys/random.h>

#include <cstdint>
#include <cstdlib>

extern "C" std::uint32_t arc4random() noexcept {
  std::uint32_t value = 0;
  if (getrandom(&value, sizeof value, 0) != sizeof value) std::abort();
  return value;
}
