#pragma once
// The built program as a subprocess, and a folder that goes away.

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace pagestorm::cli {

/// A folder of its own, removed with everything in it.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

/// How a run of the program went.
struct Ran {
  int code = -1;  ///< exit code; -1 when a signal ended it
  int signal = 0;
  std::string out;
  std::string err;
};

using Args = std::vector<std::string>;

/// How the program is started.
struct How {
  std::string folder = "/tmp";   ///< it starts there
  std::int64_t file_limit = -1;  ///< bytes of a file that it may write at most; -1 = no limit
  std::string out;               ///< file that takes its stdout; empty = captured
  std::string program;           ///< empty = PAGESTORM_PROGRAM
};

/// The program while it runs. Killed when the object goes first.
class Process {
 public:
  explicit Process(const Args& args, const How& how = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return pid_; }

  /// Sends a signal to it.
  void send(int signal) const;

  /// What it wrote to stderr so far.
  const std::string& err();

  /// Its children, by the kernel's list.
  std::vector<pid_t> children() const;

  /// Waits for its end; kills it after `limit_s`, which then shows as a signal.
  Ran wait(double limit_s = 120);

 private:
  void read();

  pid_t pid_ = -1;
  int out_ = -1;
  int err_ = -1;
  Ran ran_;
};

/// Starts the program and waits for its end.
Ran run(const Args& args, const How& how = {});

/// A whole file; empty when it cannot be read.
std::string text_of(const std::string& path);

/// Lines that hold more than spaces, without line ends.
std::vector<std::string> lines_of(const std::string& text);

/// Words of a command line as print_failure() writes it: separated by spaces, the first one left away.
Args args_of(const std::string& command);

/// The last two lines of a report of a failure, taken apart.
struct Saved {
  std::string file;
  Args replay;          ///< arguments of the replay command
  std::string problem;  ///< why the lines are not as they should be; empty when they are
};
Saved saved_by(const std::string& out);

/// A sample of tests/data/traces.
std::string sample(const std::string& name);

}  // namespace pagestorm::cli
