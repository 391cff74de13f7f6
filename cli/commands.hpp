#pragma once
// The subcommands. Each adds its options to the program, and sets `run` when it was asked for.

#include <functional>

namespace CLI {
class App;
}

namespace pagestorm::cli {

/// What `pagestorm` exits with.
enum Exit : int {
  held = 0,         ///< every law held
  violated = 1,     ///< a law was violated
  usage = 2,        ///< the command line or a file is malformed
  environment = 3,  ///< a device, a file or the system refused
  undecided = 4,    ///< nothing ran, or the verdict is not stable
};

/// Performs the command that was asked for, and returns its exit code.
using Run = std::function<int()>;

void add_check(CLI::App& app, Run& run);
void add_fuzz(CLI::App& app, Run& run);
void add_draw(CLI::App& app, Run& run);
void add_replay(CLI::App& app, Run& run);
void add_trace(CLI::App& app, Run& run);
void add_grade(CLI::App& app, Run& run);
void add_streams(CLI::App& app, Run& run);
void add_bench(CLI::App& app, Run& run);
void add_info(CLI::App& app, Run& run);

}  // namespace pagestorm::cli
