#pragma once
// Builders that are not Pagestorm's own, each in a process of its own (docs/bring-your-own.md).

#include <cstdint>
#include <string>
#include <string_view>

#include "pagestorm/builder.hpp"

namespace pagestorm {

/// What an outside builder may use up. Whoever uses more is stopped, and a call that is stopped has failed.
struct OutsideLimits {
  double hello_s = 30;                                ///< until it says what it is: interpreters start slowly
  double work_s = 2;                                  ///< processor time of a call
  double wall_s = 5;                                  ///< time of a call by the clock, for whoever sleeps or waits
  std::int64_t memory_bytes = std::int64_t{4} << 30;  ///< private memory of a builder on the host; 0 = no limit
};

/// Whether a builder's name is a spec of an outside builder: it has a slash or a blank, or ends in ".so". No builder of
/// this program has such a name.
bool is_outside(std::string_view spec);

/// The builder that a spec names, under the spec as its name. A path that ends in ".so" is a shared library with the
/// functions of pagestorm/abi.h; anything else a command line, quoted as for a shell, that speaks pagestorm/wire.h. The
/// process is started by make(), which throws BuilderError where it does not come up, declares what cannot be, or a
/// fault is asked of it. Throws std::invalid_argument for a spec that cannot be taken apart.
BuilderEntry outside_builder(const std::string& spec, const OutsideLimits& limits = {});

/// The process of a shared library: loads it and answers on the socket that PAGESTORM_SOCKET names, until it is closed.
/// Returns what to exit with.
int serve_builder(const char* path);

}  // namespace pagestorm
