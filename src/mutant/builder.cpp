// Builders of the mutated copy of src/core.

#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "host/flash_launch.hpp"
#include "host/launch.hpp"
#include "memories.hpp"
#include "mutated/body.hpp"
#include "mutated/check.hpp"
#include "mutated/flash_body.hpp"
#include "mutated/flash_check.hpp"
#include "pagestorm/mutants.hpp"

namespace pagestorm {
namespace {

/// The contract, asked cell by cell as bent rules are.
struct CellByCell : mutated::Sound {
  static constexpr bool reads_old = true;
};
struct FlashCellByCell : mutated::FlashSound {
  static constexpr bool reads_old = true;

  /// Spoils the cell that it is asked about, which is written next.
  template <class Memory>
  bool keeps_keys(const Memory& memory, std::int32_t* cell, std::int64_t keys) const {
    memory.store(cell, std::int32_t{-1});
    return FlashSound::keeps_keys(memory, cell, keys);
  }
};

/// Does what only devices do: takes what rows before one have from its number, where that can be, and empties the rest by
/// several lanes.
template <class Body>
struct AsOnDevice : Body {
  mutated::FlashShare share(std::int64_t row) const {
    if (this->shares_vary()) return Body::share(row);
    const mutated::FlashShare before = this->shares_before(row), after = this->shares_before(row + 1);
    return {after.rows - before.rows, after.mask - before.mask};
  }
  void store_rest(std::int64_t from, std::int64_t sum_q, std::int64_t sum_k, mutated::Lane) const {
    for (std::int64_t lane = 0; lane < 3; ++lane) Body::store_rest(from, sum_q, sum_k, {lane, 3});
  }
};

template <class Memory, class Rules>
class MutantBuilder final : public Builder {
 public:
  explicit MutantBuilder(std::string_view name) : name_(name) {}

  std::string_view name() const override { return name_; }
  Capabilities capabilities() const override { return {.audits = audits, .flash = true}; }
  std::span<const Access> accesses() const override { return log_.accesses(); }

  void enqueue(const Call& call) override {
    if (const char* problem = mutated::complaint(call.batch, call.out)) throw std::invalid_argument(problem);
    flash_.reset();
    in_ = call.batch;
    out_ = call.out;
    order_ = call.order;
  }

  void enqueue(const FlashCall& call) override {
    if (const char* problem = mutated::complaint(call.batch, call.out)) throw std::invalid_argument(problem);
    flash_ = Flash{call.batch, call.out};
    order_ = call.order;
  }

  void complete() override {
    log_.start();
    if (flash_) return complete_flash();
    const auto body = mutated::body_of(in_, out_, memory(), Rules{});
    if (order_ == 0) return host::launch(body);
    host::launch_backwards(body, static_cast<std::int64_t>(1 + order_ % 5));
  }

 private:
  struct Flash {
    FlashBatch in;
    FlashMetadata out;
  };

  // There is one way through these bodies, whatever the memory.
  void complete_flash() {
    const auto body = mutated::flash_body_of(flash_->in, flash_->out, memory(), FlashCellByCell{});
    if (order_ == 0) return host::flash_launch(body);
    host::flash_launch_backwards(AsOnDevice<std::remove_const_t<decltype(body)>>{body},
                                 static_cast<std::int64_t>(1 + order_ % 5));
  }

  static constexpr bool audits = std::is_base_of_v<host::AuditedMemory, Memory>;

  Memory memory() {
    if constexpr (audits)
      return {&log_};
    else
      return {};
  }

  std::string_view name_;
  Batch in_;
  Metadata out_;
  std::optional<Flash> flash_;  ///< what was enqueued, where it was of the family
  std::uint64_t order_ = 0;
  host::AccessLog log_;
};

template <class Memory, class Rules>
BuilderEntry entry(const char* name) {
  return {name, "", [name](Fault) { return std::make_unique<MutantBuilder<Memory, Rules>>(name); }};
}

}  // namespace

std::vector<BuilderEntry> mutant_builders() {
  return {entry<mutated::PlainMemory, mutated::Sound>("mutant-plain"),
          entry<mutant::BatchedMemory, mutated::Sound>("mutant-batched"),
          entry<mutant::RegionMemory, mutated::Sound>("mutant-regions"),
          entry<mutant::LoggedMemory, CellByCell>("mutant-cells")};
}

}  // namespace pagestorm
