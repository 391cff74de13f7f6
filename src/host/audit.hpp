#pragma once
// Host memory that remembers every access.

#include <vector>

#include "core/memory.hpp"
#include "pagestorm/builder.hpp"

namespace pagestorm::host {

/// Loads and stores like PlainMemory, and appends each access to a log that must outlive it.
struct AuditedMemory {
  std::vector<Access>* log;

  template <class T>
  T load(const T* address) const {
    note(address, false);
    return *address;
  }
  template <class T>
  void store(T* address, T value) const {
    note(address, true);
    *address = value;
  }
  void raise(std::uint32_t* status, std::uint32_t bits) const {
    if (bits == 0) return;
    note(status, true);
    *status |= bits;
  }

 private:
  template <class T>
  void note(const T* address, bool write) const {
    log->push_back({reinterpret_cast<const std::byte*>(address), sizeof(T), write});
  }
};

}  // namespace pagestorm::host
