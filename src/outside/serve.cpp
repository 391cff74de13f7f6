// The process of a shared library: loads it, says what it is, and makes its calls.

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

#include "library.hpp"
#include "mapped.hpp"
#include "pagestorm/outside_builder.hpp"
#include "pagestorm/wire.h"

namespace pagestorm {
namespace {

using outside::Library;
using outside::MappedRegions;

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

void answer(int socket, const Library& library, MappedRegions& regions, pagestorm_wire_call& call) {
  regions.locate(call);
  const auto entry = call.kind == PAGESTORM_WIRE_BUILD ? library.build : library.apply;
  pagestorm_wire_done done{};
  done.kind = PAGESTORM_WIRE_DONE;
  done.serial = call.serial;
  done.result = entry == nullptr ? -1 : entry(&call.batch, &call.out, nullptr);
  if (done.result != 0 && library.last_error != nullptr)
    if (const char* why = library.last_error()) copy_text(done.text, why);
  if (send(socket, &done, sizeof done, MSG_NOSIGNAL) < 0) std::exit(1);
}

void serve(int socket, const Library& library) {
  MappedRegions regions;
  Packet packet;
  for (int descriptor = -1; receive(socket, packet, descriptor);) {
    switch (packet.kind) {
      case PAGESTORM_WIRE_REGION: regions.add(packet.region, descriptor); break;
      case PAGESTORM_WIRE_FORGET: regions.forget(packet.region.region); break;
      default: answer(socket, library, regions, packet.call);
    }
  }
}

}  // namespace

int serve_library(const char* path) {
  const char* number = std::getenv("PAGESTORM_SOCKET");
  if (number == nullptr) {
    std::fprintf(stderr, "pagestorm: serve-builder: is started by Pagestorm itself, as by check --builder %s\n", path);
    return 2;
  }
  const int socket = std::atoi(number);
  pagestorm_wire_hello hello{};
  hello.kind = PAGESTORM_WIRE_HELLO;
  hello.abi_version = PAGESTORM_ABI_VERSION;
  Library library;
  try {
    library = outside::load_library(path);
    hello.abi_version = library.version;
    hello.capabilities = library.capabilities;
  } catch (const std::exception& error) {
    hello.refused = 1;
    copy_text(hello.text, error.what());
  }
  if (send(socket, &hello, sizeof hello, MSG_NOSIGNAL) < 0) return 1;
  // What the library throws is its crash, and ends the process.
  if (hello.refused == 0) serve(socket, library);
  // Its destructors may do anything; nobody waits for them.
  _exit(0);
}

}  // namespace pagestorm
