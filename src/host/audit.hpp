#pragma once
// Host memory that remembers every access.

#include <cstddef>
#include <span>
#include <vector>

#include "core/memory.hpp"
#include "pagestorm/builder.hpp"

namespace pagestorm::host {

/// Accesses in the order in which they were made. Keeps its storage when it starts anew.
class AccessLog {
 public:
  void start() { used_ = 0; }
  void add(const Access& access) {
    if (used_ == storage_.size()) grow();
    storage_[used_++] = access;
  }
  std::span<const Access> accesses() const { return std::span(storage_).first(used_); }

 private:
  // Seldom needed, and kept out of the way of every load and store.
  [[gnu::cold, gnu::noinline]] void grow() { storage_.resize(2 * used_ + 64); }

  std::vector<Access> storage_;
  std::size_t used_ = 0;
};

/// Loads and stores like PlainMemory, and appends each access to a log that must outlive it.
struct AuditedMemory {
  static constexpr int cells = 1;
  static constexpr int fours = 1;
  static constexpr int mapped_fours = 1;
  static constexpr std::int64_t four_alignment = sizeof(std::int32_t);
  static constexpr bool by_region = false;

  static constexpr bool overflows(std::int64_t) { return false; }

  AccessLog* log;

  template <class T>
  T load(const T* address) const {
    note(address, false);
    return *address;
  }
  template <bool, class T>
  T load_apart(const T* address) const {
    return load(address);
  }
  core::Four load_four(const std::int32_t* address, bool) const {
    core::Four four;
    for (int i = 0; i < core::Four::width; ++i) four.cell[i] = load(address + i);
    return four;
  }
  template <class T>
  void store(T* address, T value) const {
    note(address, true);
    *address = value;
  }
  void store_four(std::int32_t* address, const core::Four& four) const {
    for (int i = 0; i < core::Four::width; ++i) store(address + i, four.cell[i]);
  }
  void raise(std::uint32_t* status, std::uint32_t bits) const {
    if (bits == 0) return;
    note(status, true);
    *status |= bits;
  }

 private:
  template <class T>
  void note(const T* address, bool write) const {
    log->add({reinterpret_cast<const std::byte*>(address), sizeof(T), write});
  }
};

}  // namespace pagestorm::host
