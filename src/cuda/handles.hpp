#pragma once
// Streams, events and graphs that free themselves.

#include <memory>
#include <type_traits>

#include "check.hpp"

namespace pagestorm::cuda {

template <auto destroy>
struct Destroy {
  template <class T>
  void operator()(T* handle) const {
    static_cast<void>(destroy(handle));
  }
};

template <class Handle, auto destroy>
using Unique = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy<destroy>>;

using Stream = Unique<cudaStream_t, cudaStreamDestroy>;
using Graph = Unique<cudaGraph_t, cudaGraphDestroy>;
using GraphExec = Unique<cudaGraphExec_t, cudaGraphExecDestroy>;
using Event = Unique<cudaEvent_t, cudaEventDestroy>;

/// A stream that neither waits for the default stream nor makes it wait.
inline Stream make_stream() {
  cudaStream_t stream = nullptr;
  PAGESTORM_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return Stream(stream);
}

/// An event that orders, and measures no time.
inline Event make_order_event() {
  cudaEvent_t event = nullptr;
  PAGESTORM_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return Event(event);
}

}  // namespace pagestorm::cuda
