#include "child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <thread>
#include <utility>

#include "clock.hpp"
#include "error.hpp"

namespace pagestorm::cli {
namespace {

void write_all(int to, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t some = write(to, text.data() + done, text.size() - done);
    if (some > 0)
      done += static_cast<std::size_t>(some);
    else if (errno != EINTR)
      return;  // nobody listens any more
  }
}

}  // namespace

Child::Child(const std::function<void(const Say&)>& body) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw EnvironmentError(std::string("no pipe: ") + std::strerror(errno));
  std::fflush(nullptr);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) throw EnvironmentError(std::string("no worker process: ") + std::strerror(errno));
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    // The parent says when to stop: both reach whole groups of processes.
    ::signal(SIGINT, SIG_IGN);
    ::signal(SIGTERM, SIG_IGN);
    ::signal(SIGPIPE, SIG_IGN);
    close(ends[0]);
    body([to = ends[1]](const std::string& line) { write_all(to, line + "\n"); });
    std::fflush(nullptr);
    _exit(0);
  }
  close(ends[1]);
  pipe_ = ends[0];
  fcntl(pipe_, F_SETFL, O_NONBLOCK);
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      pipe_(std::exchange(other.pipe_, -1)),
      signal_(other.signal_),
      partial_(std::move(other.partial_)) {}

Child::~Child() {
  if (pid_ > 0) {
    kill();
    waitpid(pid_, nullptr, 0);
  }
  if (pipe_ >= 0) close(pipe_);
}

std::vector<std::string> Child::read() {
  std::vector<std::string> lines;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t some = ::read(pipe_, buffer, sizeof buffer);
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) break;
    partial_.append(buffer, static_cast<std::size_t>(some));
  }
  for (std::size_t end = partial_.find('\n'); end != std::string::npos; end = partial_.find('\n')) {
    lines.push_back(partial_.substr(0, end));
    partial_.erase(0, end + 1);
  }
  return lines;
}

std::vector<std::string> Child::rest(double seconds) {
  std::vector<std::string> lines;
  const std::uint64_t started = nanoseconds_now();
  const auto hear = [&] {
    for (std::string& line : read()) lines.push_back(std::move(line));
  };
  // Read while waiting: a child whose pipe is full waits for its reader.
  while (!ended()) {
    hear();
    if (seconds_since(started) > seconds) kill();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  hear();
  return lines;
}

bool Child::ended() {
  if (pid_ < 0) return true;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return false;
  pid_ = -1;
  // A sanitizer ends its process with an exit code; any but 0 is a crash here.
  signal_ = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) == 0 ? 0 : SIGABRT;
  return true;
}

double Child::cpu_seconds() const {
  clockid_t clock{};
  timespec used{};
  if (pid_ <= 0 || clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

void Child::kill() {
  if (pid_ > 0) ::kill(pid_, SIGKILL);
}

}  // namespace pagestorm::cli
