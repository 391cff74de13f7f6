// Builders of the mutated copy of src/core.

#include <stdexcept>
#include <string>
#include <type_traits>

#include "host/launch.hpp"
#include "memories.hpp"
#include "mutated/body.hpp"
#include "mutated/check.hpp"
#include "pagestorm/mutants.hpp"

namespace pagestorm {
namespace {

/// The contract, asked cell by cell as bent rules are.
struct CellByCell : mutated::Sound {
  static constexpr bool reads_old = true;
};

template <class Memory, class Rules>
class MutantBuilder final : public Builder {
 public:
  explicit MutantBuilder(std::string_view name) : name_(name) {}

  std::string_view name() const override { return name_; }
  Capabilities capabilities() const override { return {.audits = audits}; }
  std::span<const Access> accesses() const override { return log_.accesses(); }

  void enqueue(const Call& call) override {
    if (const char* problem = mutated::complaint(call.batch, call.out)) throw std::invalid_argument(problem);
    in_ = call.batch;
    out_ = call.out;
    order_ = call.order;
  }

  void complete() override {
    log_.start();
    const auto body = mutated::body_of(in_, out_, memory(), Rules{});
    if (order_ == 0) return host::launch(body);
    host::launch_backwards(body, static_cast<std::int64_t>(1 + order_ % 5));
  }

 private:
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
