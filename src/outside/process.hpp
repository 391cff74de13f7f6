#pragma once
// The process of an outside builder, and what is known of it from without.

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace pagestorm::outside {

/// How often a process that is slow to answer is looked at.
inline constexpr double glance_s = 0.02;

/// A command in a process group of its own, at the other end of a socket that keeps packets apart; the environment
/// variable PAGESTORM_SOCKET names its descriptor there. It reads nothing, and what it prints is kept, the last part of
/// it. The whole group is killed when the object goes, and when this process does.
class Process {
 public:
  /// Throws BuilderError when the system has no room for it. A command that cannot be run ends at once.
  explicit Process(const std::vector<std::string>& command);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Receiving from it returns after `glance_s` at the latest.
  int socket() const { return socket_; }

  /// Limits the memory that is its own, from now on.
  void limit_memory(std::int64_t bytes) const;

  /// Seconds of processor time that it used so far.
  double work_s() const;

  /// Takes what it printed since, so that it can go on printing.
  void listen();

  /// How it ended, once it has, waiting for `seconds` at most: "was ended by signal 11 (segmentation fault)".
  std::optional<std::string> ended(double seconds) const;

  /// Kills the group.
  void kill();

  /// The last lines that it printed, in one line; empty when it printed nothing.
  std::string last_words();

 private:
  pid_t pid_ = -1;
  int socket_ = -1;
  int printed_ = -1;
  std::string words_;
};

}  // namespace pagestorm::outside
