#include "talk.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <utility>

#include "pagestorm/builder.hpp"

namespace pagestorm::outside {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double ending_s = 1;  // what closed its socket is about to end

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// A text of a fixed size that should end with a 0, as it can stand in reports.
template <std::size_t size>
std::string text_of(const char (&text)[size]) {
  std::string words(text, strnlen(text, size));
  std::replace_if(
      words.begin(), words.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return words;
}

}  // namespace

Talk::Talk(const std::vector<std::string>& command, std::string name) : name_(std::move(name)), process_(command) {}

pagestorm_wire_hello Talk::hello(double wall_s) {
  pagestorm_wire_hello hello{};
  const std::size_t bytes = receive(&hello, sizeof hello, {0, wall_s}, "hello (pagestorm_wire_hello)");
  if (bytes != sizeof hello || hello.kind != PAGESTORM_WIRE_HELLO)
    crashed(fmt::format("began with a packet of kind {} and {} bytes, where a hello has kind {} and {} bytes",
                        hello.kind, bytes, static_cast<int>(PAGESTORM_WIRE_HELLO), sizeof hello));
  hello.text[sizeof hello.text - 1] = 0;
  if (hello.refused != 0) throw BuilderError(with_last_words(fmt::format("{}: {}", name_, text_of(hello.text))));
  return hello;
}

void Talk::share(std::uint32_t number, const CallMemory& memory, CallMemory::Part part) {
  pagestorm_wire_region region{};
  region.kind = PAGESTORM_WIRE_REGION;
  region.region = number;
  memory.describe(part, region);
  send(&region, sizeof region, memory.descriptor(part));
}

void Talk::call(pagestorm_wire_call call, const Patience& patience) {
  call.serial = ++calls_;
  send(&call, sizeof call);
  pagestorm_wire_done done{};
  const std::size_t bytes = receive(&done, sizeof done, patience, "answer");
  if (bytes != sizeof done || done.kind != PAGESTORM_WIRE_DONE)
    crashed(fmt::format("answered with a packet of kind {} and {} bytes, where an answer has kind {} and {} bytes",
                        done.kind, bytes, static_cast<int>(PAGESTORM_WIRE_DONE), sizeof done));
  if (done.serial != calls_) crashed(fmt::format("answered call {} instead", done.serial));
  if (done.result == 0) return;
  const std::string text = text_of(done.text);
  throw BuilderFailed(
      BuilderFailed::How::refused,
      with_last_words(fmt::format("{} returned {}{}{}", where(), done.result, text.empty() ? "" : ": ", text)));
}

void Talk::send(const void* packet, std::size_t bytes, int descriptor) {
  iovec part{const_cast<void*>(packet), bytes};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (descriptor >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  // It takes one packet after the other, so there is always room, unless it is gone.
  if (sendmsg(process_.socket(), &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
    gone(fmt::format("takes no packet ({})", std::strerror(errno)));
}

std::size_t Talk::receive(void* packet, std::size_t bytes, const Patience& patience, const char* awaited) {
  const double worked_before = process_.work_s();
  Clock::time_point last = Clock::now();
  double wall = 0;
  for (;;) {
    const ssize_t some = recv(process_.socket(), packet, bytes, MSG_TRUNC);
    if (some > 0) return static_cast<std::size_t>(some);
    if (some == 0 || (errno != EAGAIN && errno != EINTR)) gone("closed its socket");
    process_.listen();
    if (const auto end = process_.ended(0)) crashed(*end);
    // Where machines have too much to do, neither side gets its turn: time in which nobody looked hardly counts.
    wall += std::min(seconds_since(last), 2 * glance_s);
    last = Clock::now();
    const double work = process_.work_s() - worked_before;
    const char* hurry = patience.hurried ? ", in a hurry to make it smaller" : "";
    if (patience.work_s > 0 && work >= patience.work_s)
      hung(fmt::format("no {} after {:.2f} s of processor time{}", awaited, work, hurry));
    if (wall >= patience.wall_s) hung(fmt::format("no {} within {:.2f} s, by the clock{}", awaited, wall, hurry));
  }
}

std::string Talk::where() const {
  return calls_ == 0 ? fmt::format("{}, before it was called,", name_)
                     : fmt::format("{}, in call {} of its process,", name_, calls_);
}

void Talk::gone(const std::string& how) {
  const auto end = process_.ended(ending_s);
  crashed(end ? *end : how);
}

void Talk::crashed(const std::string& how) {
  process_.kill();
  throw BuilderFailed(BuilderFailed::How::crashed, with_last_words(where() + " " + how));
}

void Talk::hung(const std::string& how) {
  process_.kill();
  throw BuilderFailed(BuilderFailed::How::hung, with_last_words(where() + " gave " + how));
}

std::string Talk::with_last_words(const std::string& sentence) {
  const std::string words = process_.last_words();
  return words.empty() ? sentence : fmt::format("{}; it printed: {}", sentence, words);
}

}  // namespace pagestorm::outside
