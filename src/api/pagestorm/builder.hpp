#pragma once
// A builder: the thing under test.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "pagestorm/batch.hpp"
#include "pagestorm/fault.hpp"
#include "pagestorm/flash.hpp"
#include "pagestorm/promise.hpp"
#include "pagestorm/region.hpp"

namespace pagestorm {

/// One piece of work for a builder. All views of `batch` lie in `inputs`, all views of `out` in `image`.
/// A builder with memory of its own carries `changed` in before it runs, and `zone` in before and out after: the
/// two lists name every byte of a region that changed since its last call, and every byte that will be judged. The
/// lists are read by enqueue; the bytes that they name, by complete.
struct Call {
  Batch batch;
  Metadata out;
  Region inputs;
  Region image;
  std::uint64_t inputs_generation = 0;  ///< differs when `inputs` was laid out anew: nothing carried in before is valid
  std::span<const Window> changed;
  std::span<const Window> zone;
  std::uint64_t order = 0;  ///< seed of a different but equally right order of the same work; 0 = the natural one
  bool capture = false;     ///< CUDA: enqueue under a global-mode stream capture, where any host sync is an error
};

/// One recorded access of an audited builder.
struct Access {
  const std::byte* address = nullptr;
  std::uint8_t bytes = 0;
  bool write = false;
};

/// What a builder can do; laws that need more are excused and said to be.
struct Capabilities {
  bool audits = false;    ///< accesses() tells every read and write of the last call
  bool device = false;    ///< runs on a GPU
  bool captures = false;  ///< can enqueue under a stream capture
  bool flash = false;     ///< has the operations of the FlashAttention family
  bool ahead = true;      ///< enqueue() does the host's part of a call, before contents are final
  bool orders = true;     ///< Call::order makes a difference: lanes can run in another order
  bool mirrors = false;   ///< has memory of its own, which Call::changed keeps in step; so has every device
  bool isolated = false;  ///< runs in a process of its own: whatever it does, the caller lives
  Promise promise;        ///< which calls it takes, and what it is excused from
};

/// A builder could not run: the environment failed, or a host sync was made where none may be.
class BuilderError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A host sync was attempted while a stream was being captured.
class SyncInCapture : public BuilderError {
 public:
  using BuilderError::BuilderError;
};

/// A builder in a process of its own did not come back from a call: it crashed, hung or left, and the next call finds a fresh
/// process; or it refused a call that it should take. what() is one sentence for people.
class BuilderFailed : public BuilderError {
 public:
  enum class How : std::uint8_t {
    crashed,  ///< does_not_crash is broken: a signal, an exit, a device that refuses further work
    hung,     ///< ends_in_time is broken
    refused,  ///< takes_what_it_promised is broken: it returned an error; the image holds what it wrote all the same
  };
  BuilderFailed(How how, const std::string& what) : BuilderError(what), how_(how) {}
  How how() const { return how_; }

 private:
  How how_;
};

/// Maps (batch, image) to image, in two halves: enqueue sees shapes, strides and addresses, and contents may still
/// change until complete returns.
class Builder {
 public:
  virtual ~Builder() = default;
  virtual std::string_view name() const = 0;
  virtual Capabilities capabilities() const = 0;

  /// Prepares the call. Throws std::invalid_argument when a shape is wrong, naming the argument.
  virtual void enqueue(const Call& call) = 0;

  /// The same for an operation of the FlashAttention family. Throws BuilderError unless capabilities().flash.
  virtual void enqueue(const FlashCall& call);

  /// Runs what was enqueued, on the contents that the views have now; returns when the image is on the host again.
  virtual void complete() = 0;

  /// While on, a builder in a process of its own gives a call less time: what its calls needed so far, and then some.
  /// For whoever plays calls that hang again and again.
  virtual void hurry(bool) {}

  /// Every access of the last call; empty unless capabilities().audits.
  virtual std::span<const Access> accesses() const { return {}; }

  template <class AnyCall>
  void run(const AnyCall& call) {
    enqueue(call);
    complete();
  }
};

inline void Builder::enqueue(const FlashCall&) {
  throw BuilderError(std::string(name()) + " has no operations of the FlashAttention family");
}

/// A builder by name, or the reason why it is absent.
struct BuilderEntry {
  std::string name;
  std::string absent_because;  ///< empty when make() works
  std::function<std::unique_ptr<Builder>(Fault)> make;
};

/// The builders of this program: host, host-shuffled, host-audited, cuda-stream, cuda-graph, cuda-packed, in this order.
/// Asking initialises the CUDA runtime where it was built in.
std::vector<BuilderEntry> builders();

/// Defined by src/host.
std::vector<BuilderEntry> host_builders();

/// Defined by src/cuda, or by src/stub when CUDA was not built.
std::vector<BuilderEntry> cuda_builders();

/// One line about the device and its runtime, or why there is none.
std::string cuda_description();

}  // namespace pagestorm
