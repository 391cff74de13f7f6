#pragma once
// One launch as a graph: captured, checked to be one launch, kept for replay.

#include <string>

#include "handles.hpp"

namespace pagestorm::cuda {

/// The graph of what `work` enqueues on `stream`, captured in global mode: any host sync in between throws
/// SyncInCapture, and the stream is as usable afterwards as it was before.
template <class Work>
GraphExec captured(cudaStream_t stream, const Work& work) {
  cudaGraph_t raw = nullptr;
  PAGESTORM_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  try {
    work();
  } catch (...) {
    static_cast<void>(cudaStreamEndCapture(stream, &raw));
    static_cast<void>(Graph(raw));
    static_cast<void>(cudaGetLastError());
    throw;
  }
  PAGESTORM_CUDA(cudaStreamEndCapture(stream, &raw));
  const Graph graph(raw);
  std::size_t nodes = 0;
  PAGESTORM_CUDA(cudaGraphGetNodes(graph.get(), nullptr, &nodes));
  if (nodes != 1) throw BuilderError("the capture holds " + std::to_string(nodes) + " nodes, not one launch");
  cudaGraphExec_t exec = nullptr;
  PAGESTORM_CUDA(cudaGraphInstantiate(&exec, graph.get(), 0));
  return GraphExec(exec);
}

}  // namespace pagestorm::cuda
