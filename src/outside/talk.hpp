#pragma once
// What is said to the process of an outside builder, and how long it may take to answer.

#include <cstdint>
#include <string>
#include <vector>

#include "pagestorm/call_memory.hpp"
#include "pagestorm/wire.h"
#include "process.hpp"

namespace pagestorm::outside {

/// How long an answer may take.
struct Patience {
  double work_s = 0;     ///< processor time; 0 = not looked at
  double wall_s = 0;     ///< time by the clock
  bool hurried = false;  ///< less than is due: to be said where it was not enough
};

/// A process and its packets. Everything but a right answer in time is a BuilderFailed, after which the process is gone unless
/// it refused a call.
class Talk {
 public:
  /// Starts `command`; messages call it `name`.
  Talk(const std::vector<std::string>& command, std::string name);

  /// What the builder says first.
  pagestorm_wire_hello hello(double wall_s);

  void limit_memory(std::int64_t bytes) const { process_.limit_memory(bytes); }

  /// Makes memory known as region `number`.
  void share(std::uint32_t number, const CallMemory& memory, CallMemory::Part part);

  /// Asks for a call, and waits for its end.
  void call(pagestorm_wire_call call, const Patience& patience);

 private:
  void send(const void* packet, std::size_t bytes, int descriptor = -1);
  std::size_t receive(void* packet, std::size_t bytes, const Patience& patience, const char* awaited);
  [[noreturn]] void gone(const std::string& how);
  [[noreturn]] void crashed(const std::string& how);
  [[noreturn]] void hung(const std::string& how);
  std::string where() const;
  std::string with_last_words(const std::string& sentence);

  std::string name_;
  Process process_;
  std::uint32_t calls_ = 0;  ///< that were asked for, the one under way included
};

}  // namespace pagestorm::outside
