#pragma once
// Counts this process's calls of the CUDA runtime and driver, by way of CUPTI.

#include <cstdint>
#include <memory>
#include <set>
#include <string>

namespace pagestorm::cuda {

struct CallCounts {
  std::int64_t launches = 0;
  std::int64_t copies = 0;
  std::int64_t allocations = 0;
  std::int64_t host_syncs = 0;
  std::set<std::string> named = {};  ///< allocations and host syncs
};

/// One at a time in a process: CUPTI takes no second subscriber, and no other profiler beside it.
class Observer {
 public:
  /// Loads CUPTI from `library`, or from where it usually lies. Throws BuilderError that says what was tried.
  explicit Observer(const std::string& library);
  ~Observer();
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  /// What `work` calls on this thread. A call that makes others counts once, as the heaviest of them.
  template <class Work>
  CallCounts of(const Work& work) {
    begin();
    try {
      work();
    } catch (...) {
      static_cast<void>(end());
      throw;
    }
    return end();
  }

 private:
  struct Seen;

  void begin();
  CallCounts end();

  std::unique_ptr<Seen> seen_;
};

}  // namespace pagestorm::cuda
