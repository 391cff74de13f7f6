#include "run.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace pagestorm::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) throw std::runtime_error(std::string(name) + " is not set; run the tests with meson test");
  return value;
}

[[noreturn]] void become(const std::vector<char*>& argv, const How& how, int out, int err) {
  if (!how.out.empty()) out = open(how.out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  if (chdir(how.folder.c_str()) != 0) _exit(126);
  if (how.file_limit >= 0) {
    const auto bytes = static_cast<rlim_t>(how.file_limit);
    const rlimit limit{bytes, bytes};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(126);
  }
  execv(argv[0], argv.data());
  _exit(127);
}

// True at the end of the stream.
bool drain(int from, std::string& to) {
  char buffer[1 << 16];
  for (;;) {
    const ssize_t some = ::read(from, buffer, sizeof buffer);
    if (some == 0) return true;
    if (some < 0) return errno != EAGAIN && errno != EINTR;
    to.append(buffer, static_cast<std::size_t>(some));
  }
}

}  // namespace

TempDir::TempDir() {
  std::string pattern = (fs::temp_directory_path() / "pagestorm-cli-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = pattern;
}

TempDir::~TempDir() {
  std::error_code error;
  fs::remove_all(path_, error);
}

std::string TempDir::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ / name, std::ios::binary) << text;
  return *this / name;
}

Process::Process(const Args& args, const How& how) {
  Args words = args;
  words.insert(words.begin(), how.program.empty() ? variable("PAGESTORM_PROGRAM") : how.program);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int out[2];
  int err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("no process");
  if (pid_ == 0) become(argv, how, out[1], err[1]);
  close(out[1]);
  close(err[1]);
  out_ = out[0];
  err_ = err[0];
  fcntl(out_, F_SETFL, O_NONBLOCK);
  fcntl(err_, F_SETFL, O_NONBLOCK);
}

Process::~Process() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close(out_);
  close(err_);
}

void Process::send(int signal) const { kill(pid_, signal); }

void Process::read() {
  drain(out_, ran_.out);
  drain(err_, ran_.err);
}

const std::string& Process::err() {
  read();
  return ran_.err;
}

std::vector<pid_t> Process::children() const {
  const std::string pid = std::to_string(pid_);
  std::istringstream text(text_of("/proc/" + pid + "/task/" + pid + "/children"));
  std::vector<pid_t> found;
  for (pid_t child = 0; text >> child;) found.push_back(child);
  return found;
}

Ran Process::wait(double limit_s) {
  const auto start = Clock::now();
  int status = 0;
  while (waitpid(pid_, &status, WNOHANG) != pid_) {
    pollfd ends[] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};
    poll(ends, 2, 5);
    // A pipe that is closed wakes poll() at once; the process may still take a moment.
    if (((ends[0].revents | ends[1].revents) & POLLHUP) != 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    read();
    if (std::chrono::duration<double>(Clock::now() - start).count() > limit_s) kill(pid_, SIGKILL);
  }
  pid_ = -1;
  read();
  if (WIFEXITED(status))
    ran_.code = WEXITSTATUS(status);
  else
    ran_.signal = WTERMSIG(status);
  return ran_;
}

Ran run(const Args& args, const How& how) { return Process(args, how).wait(); }

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos) lines.push_back(line);
  return lines;
}

Args args_of(const std::string& command) {
  Args words;
  std::istringstream stream(command);
  for (std::string word; stream >> word;) words.push_back(word);
  if (!words.empty()) words.erase(words.begin());
  return words;
}

Saved saved_by(const std::string& out) {
  const std::vector<std::string> lines = lines_of(out);
  if (lines.size() < 2) return {.problem = "fewer than two lines"};
  const std::string saved = "  saved     ";
  const std::string replay = "  replay    pagestorm replay ";
  const std::string& first = lines[lines.size() - 2];
  const std::string& second = lines.back();
  if (!first.starts_with(saved)) return {.problem = "the last but one line is \"" + first + "\""};
  if (!second.starts_with(replay)) return {.problem = "the last line is \"" + second + "\""};
  return {.file = first.substr(saved.size()), .replay = args_of(second.substr(second.find("pagestorm")))};
}

std::string sample(const std::string& name) { return variable("PAGESTORM_SOURCE") + "/tests/data/traces/" + name; }

}  // namespace pagestorm::cli
