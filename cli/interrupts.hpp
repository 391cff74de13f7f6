#pragma once
// Being asked to stop: by Ctrl-C, or by what `timeout` and schedulers send.

#include <signal.h>

namespace pagestorm::cli {

/// Takes SIGINT and SIGTERM while it lives, and counts them, so that a run cut short still reports. One at a time.
class Interrupts {
 public:
  Interrupts() {
    count = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { count = count + 1; };
    sigaction(SIGINT, &action, &before_int_);
    sigaction(SIGTERM, &action, &before_term_);
  }
  ~Interrupts() {
    sigaction(SIGINT, &before_int_, nullptr);
    sigaction(SIGTERM, &before_term_, nullptr);
  }
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  bool any() const { return count > 0; }

 private:
  static inline volatile sig_atomic_t count = 0;
  struct sigaction before_int_ {};
  struct sigaction before_term_ {};
};

}  // namespace pagestorm::cli
