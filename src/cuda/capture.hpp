#pragma once
// Enqueued work as a graph: captured, kept for replay; one launch is checked to be one.

#include <string>

#include "handles.hpp"

namespace pagestorm::cuda {

/// What `work` enqueues on `stream`, captured in global mode: any host sync in between throws SyncInCapture, and the
/// stream is as usable afterwards as it was before.
template <class Work>
Graph graph_of(cudaStream_t stream, const Work& work) {
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
  return Graph(raw);
}

inline GraphExec instantiated(const Graph& graph) {
  cudaGraphExec_t exec = nullptr;
  PAGESTORM_CUDA(cudaGraphInstantiate(&exec, graph.get(), 0));
  return GraphExec(exec);
}

/// The same for work that is one launch.
template <class Work>
GraphExec captured(cudaStream_t stream, const Work& work) {
  const Graph graph = graph_of(stream, work);
  std::size_t nodes = 0;
  PAGESTORM_CUDA(cudaGraphGetNodes(graph.get(), nullptr, &nodes));
  if (nodes != 1) throw BuilderError("the capture holds " + std::to_string(nodes) + " nodes, not one launch");
  return instantiated(graph);
}

}  // namespace pagestorm::cuda
