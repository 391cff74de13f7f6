#pragma once
// One round of passes: all that they bring with them, in one copy, and the launches over all of them.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "freight.hpp"
#include "judge/launch.cuh"
#include "pack.hpp"
#include "stopwatch.hpp"
#include "transfer.hpp"
#include "way.hpp"

namespace pagestorm::cuda {

/// A pass with all views on the device.
struct RoundPass {
  judge::Job job;
  Metadata first, second;  ///< views of both images
  std::int64_t pages = 1;
};

class Round {
 public:
  Round(Way way, Fault fault) : way_(way), fault_(fault), packing_(make_packing(fault)), done_(make_event()) {}

  void clear();

  /// Bytes that are to lie at `device` before the round runs; whole words.
  void bring(std::byte* device, const void* data, std::int64_t bytes);

  void add(const RoundPass& pass, std::span<const RowTruth> rows);

  /// Enqueues everything: the copy, what was brought, poison, builds, and judgement, which writes verdicts to the host.
  void start(Graphs& graphs, cudaStream_t stream);

  /// The same `times` times without the copy and what was brought: verdicts add up.
  void repeat(int times, Graphs& graphs, cudaStream_t stream);

  /// Waits until the verdicts are back.
  std::span<const Verdict> verdicts() const;

 private:
  void load(cudaStream_t stream);
  void cut_into_strands();
  void build(Graphs& graphs, cudaStream_t stream) const;
  void play(Graphs& graphs, cudaStream_t stream) const;
  void end(cudaStream_t stream);

  Way way_;
  Fault fault_;
  Freight freight_;
  std::vector<Piece> pieces_;
  std::vector<RoundPass> passes_;
  std::vector<std::int64_t> truths_;  ///< where the RowTruths of each pass are in the freight; -1: none
  std::vector<judge::Task> tasks_;
  std::vector<judge::Strand> poison_, judge_;
  std::unique_ptr<Packing> packing_;
  judge::Round judged_;
  const std::byte* calls_ = nullptr;  ///< of packing_, on the device
  const PackShare* call_shares_ = nullptr;
  PinnedBuffer verdicts_;  ///< the device writes them here
  Event done_;
};

}  // namespace pagestorm::cuda
