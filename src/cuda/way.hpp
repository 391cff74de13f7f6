#pragma once
// The ways in which a call can be enqueued: the builders' names.

#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "capture.hpp"
#include "flash.hpp"
#include "host_read.hpp"
#include "key.hpp"
#include "launch.hpp"

namespace pagestorm::cuda {

enum class Way {
  stream,  ///< a launch of its own
  graph,   ///< the replay of a capture
  packed,  ///< a launch that it shares with others
};

inline constexpr Way ways[] = {Way::stream, Way::graph, Way::packed};

constexpr std::string_view name_of(Way way) {
  switch (way) {
    case Way::stream: return "cuda-stream";
    case Way::graph: return "cuda-graph";
    case Way::packed: return "cuda-packed";
  }
  return "";
}

inline std::optional<Way> way_by_name(std::string_view name) {
  for (const Way way : ways)
    if (name_of(way) == name) return way;
  return std::nullopt;
}

/// Captures, each taken once for everything that it bakes in.
class Graphs {
 public:
  void clear() { graphs_.clear(); }

  /// The graph of one launch of a call whose views lie on the device. Valid until clear(), or until many others were
  /// asked for.
  cudaGraphExec_t of(const Batch& in, const Metadata& out, std::uint64_t order, Fault fault, cudaStream_t stream) {
    return of(key_of(in, out, order), stream, [&] {
      Metadata seen = out;
      if (fault == Fault::lengths_read_on_host) cut_at_longest(in, seen, stream);
      launch(in, seen, order, fault, stream);
    });
  }

  /// The same of an operation of the FlashAttention family.
  cudaGraphExec_t of(const FlashBatch& in, const FlashMetadata& out, std::uint64_t order, Fault fault,
                     cudaStream_t stream) {
    return of(key_of(in, out, order), stream, [&] { launch_flash(in, out, order, fault, stream); });
  }

 private:
  template <class Work>
  cudaGraphExec_t of(Key key, cudaStream_t stream, const Work& work) {
    if (graphs_.size() == most) graphs_.clear();
    if (const auto known = graphs_.find(key); known != graphs_.end()) return known->second.get();
    GraphExec graph = captured(stream, work);
    return graphs_.emplace(std::move(key), std::move(graph)).first->second.get();
  }

  static constexpr std::size_t most = 256;

  std::map<Key, GraphExec> graphs_;
};

}  // namespace pagestorm::cuda
