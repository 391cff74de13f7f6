#include "process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <thread>

#include "pagestorm/builder.hpp"

namespace pagestorm::outside {
namespace {

constexpr std::size_t words_kept = 2048;
constexpr int socket_there = 3;

[[noreturn]] void lack(const char* what) {
  throw BuilderError(std::string("no process for an outside builder: ") + what + ": " + std::strerror(errno));
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> environment() {
  std::vector<std::string> all;
  for (char** at = environ; *at != nullptr; ++at)
    if (!std::string_view(*at).starts_with("PAGESTORM_SOCKET=")) all.emplace_back(*at);
  all.push_back("PAGESTORM_SOCKET=" + std::to_string(socket_there));
  return all;
}

// In the child, where nothing may allocate.
[[noreturn]] void become(char* const* argv, char* const* envp, pid_t parent, int socket, int print) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ}) signal(number, SIG_DFL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(print, STDERR_FILENO);
  dup2(print, STDOUT_FILENO);
  dup2(nothing, STDIN_FILENO);
  if (socket == socket_there)
    fcntl(socket, F_SETFD, 0);
  else
    dup2(socket, socket_there);
  close_range(socket_there + 1, ~0u, 0);
  execvpe(argv[0], argv, envp);
  const char* why = std::strerror(errno);
  for (const char* part : {static_cast<const char*>(argv[0]), ": ", why, "\n"})
    if (write(STDERR_FILENO, part, std::strlen(part)) < 0) break;
  _exit(127);
}

}  // namespace

Process::Process(const std::vector<std::string>& command) {
  std::vector<std::string> words = command;
  std::vector<std::string> variables = environment();
  const std::vector<char*> argv = pointers(words);
  const std::vector<char*> envp = pointers(variables);
  int sockets[2];
  int prints[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) lack("no socket");
  socket_ = sockets[0];
  const timeval glance{0, static_cast<suseconds_t>(glance_s * 1e6)};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &glance, sizeof glance);
  if (pipe2(prints, O_CLOEXEC) != 0) lack("no pipe");
  printed_ = prints[0];
  fcntl(printed_, F_SETFL, O_NONBLOCK);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) become(argv.data(), envp.data(), parent, sockets[1], prints[1]);
  close(sockets[1]);
  close(prints[1]);
  if (pid_ < 0) lack("fork");
  setpgid(pid_, pid_);  // whoever of the two comes first
}

Process::~Process() {
  kill();
  close(socket_);
  if (printed_ >= 0) close(printed_);
}

void Process::limit_memory(std::int64_t bytes) const {
  const rlimit limit{static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
  if (prlimit(pid_, RLIMIT_DATA, &limit, nullptr) != 0 && errno != ESRCH) lack("a limit of its memory");
}

double Process::work_s() const {
  clockid_t clock{};
  timespec used{};
  if (pid_ < 0 || clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

void Process::listen() {
  char buffer[4096];
  while (printed_ >= 0) {
    const ssize_t some = read(printed_, buffer, sizeof buffer);
    if (some < 0 && errno == EINTR) continue;
    if (some < 0) return;
    if (some == 0) {
      close(printed_);
      printed_ = -1;
      return;
    }
    words_.append(buffer, static_cast<std::size_t>(some));
    if (words_.size() > words_kept) words_.erase(0, words_.size() - words_kept);
  }
}

std::optional<std::string> Process::ended(double seconds) const {
  constexpr auto pause = std::chrono::milliseconds(1);
  siginfo_t info{};
  for (double left = seconds;; left -= 1e-3) {
    info.si_pid = 0;
    if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) return std::nullopt;
    if (info.si_pid != 0) break;
    if (left <= 0) return std::nullopt;
    std::this_thread::sleep_for(pause);
  }
  if (info.si_code == CLD_EXITED) return "exited with code " + std::to_string(info.si_status);
  std::string name = strsignal(info.si_status);
  name.front() = static_cast<char>(std::tolower(name.front()));
  return "was ended by signal " + std::to_string(info.si_status) + " (" + name + ")";
}

// While its leader is not reaped, the number of the group belongs to nobody else.
void Process::kill() {
  if (pid_ < 0) return;
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

std::string Process::last_words() {
  constexpr std::size_t lines_shown = 4;
  listen();
  std::string text;
  std::size_t lines = 0;
  std::string_view rest = words_;
  while (!rest.empty() && lines < lines_shown) {
    const std::size_t cut = rest.rfind('\n');
    const std::string_view line = cut == std::string_view::npos ? rest : rest.substr(cut + 1);
    rest = cut == std::string_view::npos ? std::string_view() : rest.substr(0, cut);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    text = std::string(line) + (text.empty() ? "" : " | ") + text;
    ++lines;
  }
  // It stands in reports, whatever bytes it was.
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

}  // namespace pagestorm::outside
