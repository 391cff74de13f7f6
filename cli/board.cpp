#include "board.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <new>

#include "error.hpp"

namespace pagestorm::cli {

Board::Board(std::size_t desks) : size_(desks), bytes_(sizeof(Desk) * (desks + 1)) {
  void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw EnvironmentError(std::string("no memory can be shared with workers: ") + std::strerror(errno));
  stop_ = new (memory) std::atomic<bool>(false);
  desks_ = static_cast<Desk*>(memory) + 1;
  for (std::size_t i = 0; i < desks; ++i) new (desks_ + i) Desk;
}

Board::~Board() { munmap(stop_, bytes_); }

}  // namespace pagestorm::cli
