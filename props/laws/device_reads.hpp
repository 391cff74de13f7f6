#pragma once
// Attention's eye on a device: a DeviceReader that is kept in step with the world.

#include <array>
#include <cstdint>
#include <vector>

#include "pagestorm/device_reader.hpp"
#include "sim/kv_store.hpp"
#include "sim/law.hpp"

namespace pagestorm::props {

/// Slots that get tokens besides passes, as fills of a reader.
class SlotFills : public sim::KvSlots {
 public:
  explicit SlotFills(std::int64_t page_size = 1) : page_size_(page_size) {}

  std::vector<SlotFill> fills;

  void write(sim::Model model, sim::Pool pool, std::int64_t slot, std::uint64_t id) override;
  void write(sim::Model model, sim::Pool pool, std::int64_t slot, const sim::Content& content, std::int64_t position,
             std::int64_t count) override;
  void forget(sim::Pool pool, std::int64_t page) override;

 private:
  std::int64_t page_size_;
};

/// The pools of one scenario at a time.
class DeviceReads {
 public:
  explicit DeviceReads(DeviceReader& reader) : reader_(reader) {}

  void start(const sim::World& world);

  /// After every step of the engine.
  void follow(const sim::World& world);

  /// Stores the tokens of the pass through its write slots and reads it; what the reader says.
  ReaderVerdict read(sim::Moment& moment);

 private:
  struct Rows {
    std::vector<ReadRun> runs;  ///< of one row after the other
    std::vector<RowReads> rows;
  };

  void gather_tags(const sim::Moment& moment, sim::Model model);
  void gather_rows(const sim::Moment& moment, sim::Model model);

  DeviceReader& reader_;
  std::array<std::vector<std::uint64_t>, kv_models> tags_;
  std::array<Rows, kv_models> rows_;
};

}  // namespace pagestorm::props
