// The process of a shared library or a kernel file: loads it, says what it is, and makes its calls.

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>

#include "pagestorm/outside_builder.hpp"
#include "pagestorm/wire.h"
#include "regions.hpp"
#include "served.hpp"

namespace pagestorm {
namespace {

using outside::Regions;
using outside::Served;

/// Any packet of Pagestorm's.
union Packet {
  std::uint32_t kind;
  pagestorm_wire_region region;
  pagestorm_wire_call call;
};

template <std::size_t size>
void copy_text(char (&to)[size], const std::string& from) {
  const std::size_t used = from.copy(to, size - 1);
  to[used] = 0;
}

/// One packet and the descriptor that came with it, or -1. False when the socket was closed.
bool receive(int socket, Packet& packet, int& descriptor) {
  iovec part{&packet, sizeof packet};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  descriptor = -1;
  if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) <= 0) return false;
  for (cmsghdr* at = CMSG_FIRSTHDR(&message); at != nullptr; at = CMSG_NXTHDR(&message, at))
    if (at->cmsg_level == SOL_SOCKET && at->cmsg_type == SCM_RIGHTS)
      std::memcpy(&descriptor, CMSG_DATA(at), sizeof descriptor);
  return true;
}

// A device that refuses further work cannot be mended here: the process ends, and its last words say why.
void wait(DeviceGuest& guest) {
  try {
    guest.wait();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "the device refuses further work: %s\n", error.what());
    std::fflush(stderr);
    _exit(70);
  }
}

// What may not be captured is refused, and says why: where no work was enqueued, nothing is broken.
int captured(const Served& served, const pagestorm_wire_call& call, std::string& why) {
  int result = 0;
  try {
    served.guest->capture([&] { result = served.run(call, why); });
  } catch (const std::exception& error) {
    if (why.empty()) why = error.what();
    return result != 0 ? result : -1;
  }
  return result;
}

int performed(const Served& served, const pagestorm_wire_call& call, std::string& why) {
  if (!served.guest) return served.run(call, why);
  if (call.kind == PAGESTORM_WIRE_CAPTURE) return captured(served, call, why);
  if (call.kind != PAGESTORM_WIRE_LAUNCH) return served.run(call, why);
  served.guest->launch_captured();
  return 0;
}

void answer(int socket, const Served& served, Regions& regions, pagestorm_wire_call& call) {
  outside::locate(call, regions);
  pagestorm_wire_done done{};
  done.kind = PAGESTORM_WIRE_DONE;
  done.serial = call.serial;
  std::string why;
  done.result = performed(served, call, why);
  if (served.guest) wait(*served.guest);
  copy_text(done.text, why);
  if (send(socket, &done, sizeof done, MSG_NOSIGNAL) < 0) std::exit(1);
}

void serve(int socket, const Served& served, Regions& regions) {
  Packet packet;
  for (int descriptor = -1; receive(socket, packet, descriptor);) {
    switch (packet.kind) {
      case PAGESTORM_WIRE_REGION: regions.add(packet.region, descriptor); break;
      case PAGESTORM_WIRE_FORGET: regions.forget(packet.region.region); break;
      default: answer(socket, served, regions, packet.call);
    }
  }
}

void serve(int socket, const Served& served) {
  if (!served.guest) {
    outside::MappedRegions regions;
    return serve(socket, served, regions);
  }
  outside::DeviceRegions regions(*served.guest);
  serve(socket, served, regions);
}

Served served_by(const char* path) {
  return std::string_view(path).ends_with(".toml") ? outside::served_kernels(path) : outside::served_library(path);
}

}  // namespace

int serve_builder(const char* path) {
  const char* number = std::getenv("PAGESTORM_SOCKET");
  if (number == nullptr) {
    std::fprintf(stderr, "pagestorm: serve-builder: is started by Pagestorm itself, as by check --builder %s\n", path);
    return 2;
  }
  const int socket = std::atoi(number);
  pagestorm_wire_hello hello{};
  hello.kind = PAGESTORM_WIRE_HELLO;
  hello.abi_version = PAGESTORM_ABI_VERSION;
  Served served;
  try {
    served = served_by(path);
    hello.abi_version = served.version;
    hello.capabilities = served.capabilities;
  } catch (const std::exception& error) {
    hello.refused = 1;
    copy_text(hello.text, error.what());
  }
  if (send(socket, &hello, sizeof hello, MSG_NOSIGNAL) < 0) return 1;
  // What the library throws is its crash, and ends the process.
  if (hello.refused == 0) serve(socket, served);
  // Its destructors may do anything; nobody waits for them.
  _exit(0);
}

}  // namespace pagestorm
