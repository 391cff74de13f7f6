#pragma once
// A worker process, and the pipe on which it reports.

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace pagestorm::cli {

/// A forked process that runs `body`; what it passes to `say` arrives line by line.
class Child {
 public:
  using Say = std::function<void(const std::string& line)>;

  /// Forks. Throws EnvironmentError.
  explicit Child(const std::function<void(const Say&)>& body);
  ~Child();
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;

  /// Lines that arrived since the last call; does not wait.
  std::vector<std::string> read();

  /// Waits for the end, for `seconds` at most, and then kills; all lines that read() has not given yet.
  std::vector<std::string> rest(double seconds);

  /// True once the process has ended; then signal() is known, and read() has given everything.
  bool ended();

  /// The signal that ended it; 0 after an exit.
  int signal() const { return signal_; }

  /// Seconds that it has computed, up to now; other processes do not slow them down. 0 once it has ended.
  double cpu_seconds() const;

  void kill();

 private:
  pid_t pid_ = -1;
  int pipe_ = -1;
  int signal_ = 0;
  std::string partial_;
};

}  // namespace pagestorm::cli
