// What a builder declares excuses it, what it does not declare does not, and no excuse covers more than it says.

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "declared_builder.hpp"
#include "props/laws.hpp"
#include "props/verdict.hpp"
#include "sim/element.hpp"
#include "sim/fit.hpp"
#include "sim/player.hpp"
#include "sim/rng.hpp"
#include "sim/swarm.hpp"

namespace pagestorm::props {
namespace {

using sim::Excuse;

// --- builders that do one thing otherwise

std::int32_t& cell(const Matrix<std::int32_t>& table, std::int64_t row, std::int64_t column) {
  return table.data[row * table.row_stride + column * table.col_stride];
}

sim::Reference reference_of(const Call& call) {
  sim::Reference expected;
  expected.compute(call.batch, call.out.page_table.cols, call.out.swa_out_cache_loc.size);
  return expected;
}

// Runs over the live cells: change(full, swa or null, the slot).
template <class Change>
void over_cells(const Call& call, const Change& change) {
  const sim::Reference expected = reference_of(call);
  const Matrix<const std::int32_t>& slots = call.batch.req_to_token;
  for (std::int64_t r = 0; r < call.batch.rows; ++r) {
    const std::int64_t owner = sim::element(call.batch.req_pool_indices, r);
    for (std::int64_t c = 0; c < expected.live(r); ++c) {
      const std::int64_t p = c * call.batch.page_size;
      const bool there = owner >= 0 && owner < slots.rows && p < slots.cols;
      if (!there) continue;
      const std::int64_t slot = slots.data[owner * slots.row_stride + p * slots.col_stride];
      change(cell(call.out.page_table, r, c),
             call.out.swa_page_table.data != nullptr ? &cell(call.out.swa_page_table, r, c) : nullptr, slot);
    }
  }
}

Bend absent_becomes(std::int32_t value) {
  return {.after = [value](const Call& call) {
    over_cells(call, [value](std::int32_t& full, std::int32_t* swa, std::int64_t slot) {
      if (slot >= 0) return;
      full = value;
      if (swa != nullptr) *swa = value;
    });
  }};
}

Bend tombstones_become(std::int32_t value) {
  return {.after = [value](const Call& call) {
    over_cells(call, [&](std::int32_t&, std::int32_t* swa, std::int64_t slot) {
      if (swa == nullptr || slot < 0 || slot >= call.batch.full_to_swa.size) return;
      if (sim::element(call.batch.full_to_swa, slot) == 0) *swa = value;
    });
  }};
}

Bend fills_the_width() {
  return {.after = [](const Call& call) {
    const sim::Reference expected = reference_of(call);
    for (std::int64_t r = 0; r < call.batch.rows; ++r)
      for (std::int64_t c = expected.live(r); c < call.out.page_table.cols; ++c) {
        cell(call.out.page_table, r, c) = 0;
        if (call.out.swa_page_table.data != nullptr) cell(call.out.swa_page_table, r, c) = 0;
      }
  }};
}

// Puts back what words held before the call.
template <class WordsOf>
Bend leaves_alone(WordsOf words_of) {
  auto held = std::make_shared<std::vector<std::int64_t>>();
  return {.before =
              [held, words_of](const Call& call) {
                held->clear();
                for (auto* word : words_of(call)) held->push_back(static_cast<std::int64_t>(*word));
              },
          .after =
              [held, words_of](const Call& call) {
                std::size_t i = 0;
                for (auto* word : words_of(call))
                  *word = static_cast<std::remove_pointer_t<decltype(word)>>((*held)[i++]);
              }};
}

std::vector<std::int64_t*> write_slots_from(const Call& call, std::int64_t first) {
  std::vector<std::int64_t*> words;
  if (call.batch.entry == Entry::build || call.out.swa_out_cache_loc.data == nullptr) return words;
  const Vector<std::int64_t>& writes = call.out.swa_out_cache_loc;
  for (std::int64_t i = first; i < writes.size; ++i) words.push_back(writes.data + i * writes.stride);
  return words;
}

Bend leaves_status() {
  return leaves_alone([](const Call& call) { return std::vector<std::uint32_t*>{call.out.status}; });
}
Bend leaves_write_slots() {
  return leaves_alone([](const Call& call) { return write_slots_from(call, 0); });
}

// Wrong where `is` says so of the call.
Bend wrong_if(bool (*is)(const Call&)) {
  return {.after = [is](const Call& call) {
    if (is(call)) *call.out.status ^= 1u << 20;
  }};
}

// Whether it has live cells or not: a builder may look the row up first.
bool names_row_outside(const Call& call) {
  for (std::int64_t r = 0; r < call.batch.rows; ++r) {
    const std::int64_t row = sim::element(call.batch.req_pool_indices, r);
    if (row < 0 || row >= call.batch.req_to_token.rows) return true;
  }
  return false;
}

struct Case {
  Excuse excuse;
  void (*declare)(Capabilities&);
  Fault fault = Fault::none;
  Bend bend = {};
};

std::vector<Case> cases() {
  return {
      {Excuse::modes, [](Capabilities& c) { c.promise.modes[static_cast<std::size_t>(Mode::draft_extend)] = false; },
       Fault::none, wrong_if([](const Call& call) { return call.batch.mode == Mode::draft_extend; })},
      {Excuse::page_sizes, [](Capabilities& c) { c.promise.page_size_power_of_two = true; },
       Fault::page_size_rounded_to_power_of_two},
      {Excuse::rows, [](Capabilities& c) { c.promise.rows_high = 2; }, Fault::none,
       wrong_if([](const Call& call) { return call.batch.rows > 2; })},
      {Excuse::types,
       [](Capabilities& c) {
         c.promise.index_types = {false, true};
       },
       Fault::none, wrong_if([](const Call& call) { return call.batch.req_pool_indices.type == IntType::int32; })},
      {Excuse::swa, [](Capabilities& c) { c.promise.swa = false; }, Fault::swa_table_untranslated},
      {Excuse::clamps, [](Capabilities& c) { c.promise.clamps = false; }, Fault::spills_past_width},
      {Excuse::bad_indices, [](Capabilities& c) { c.promise.bad_indices = false; }, Fault::none,
       wrong_if(names_row_outside)},
      {Excuse::bad_lengths, [](Capabilities& c) { c.promise.bad_lengths = false; }, Fault::length_cut_to_32_bits},
      {Excuse::empty_batch, [](Capabilities& c) { c.promise.empty_batch = false; }, Fault::empty_batch_skipped},
      {Excuse::input_strides, [](Capabilities& c) { c.promise.input_strides = false; }, Fault::none,
       wrong_if([](const Call& call) { return call.batch.seq_lens.stride > 1; })},
      {Excuse::output_strides, [](Capabilities& c) { c.promise.output_strides = false; }, Fault::inner_stride_ignored},
      {Excuse::own_swa_stride, [](Capabilities& c) { c.promise.own_swa_stride = false; }, Fault::swa_stride_borrowed},
      {Excuse::padded_tables, [](Capabilities& c) { c.promise.padded_tables = false; }, Fault::none,
       wrong_if([](const Call& call) {
         return call.out.page_table.row_stride != call.out.page_table.cols * call.out.page_table.col_stride;
       })},
      {Excuse::far_rows, [](Capabilities& c) { c.promise.far_rows = false; }, Fault::none,
       wrong_if([](const Call& call) { return call.batch.req_to_token.row_stride >= sim::far_stride; })},
      {Excuse::absent, [](Capabilities& c) { c.promise.absent = Becomes::zero; }, Fault::none, absent_becomes(0)},
      {Excuse::absent, [](Capabilities& c) { c.promise.absent = Becomes::anything; }, Fault::none, absent_becomes(77)},
      {Excuse::absent, [](Capabilities& c) { c.promise.absent = Becomes::never, c.promise.bad_indices = false; },
       Fault::none, absent_becomes(77)},
      {Excuse::tombstone, [](Capabilities& c) { c.promise.tombstone = Becomes::minus_one; }, Fault::none,
       tombstones_become(-1)},
      {Excuse::tombstone, [](Capabilities& c) { c.promise.tombstone = Becomes::anything; }, Fault::none,
       tombstones_become(88)},
      {Excuse::builds, [](Capabilities& c) { c.promise.builds = false; }, Fault::build_rounds_down},
      {Excuse::status, [](Capabilities& c) { c.promise.status = false; }, Fault::none, leaves_status()},
      {Excuse::element_zero, [](Capabilities& c) { c.promise.element_zero = false; }, Fault::cumulative_zero_unwritten},
      {Excuse::write_slots, [](Capabilities& c) { c.promise.write_slots = false; }, Fault::none, leaves_write_slots()},
      {Excuse::tail_zeros, [](Capabilities& c) { c.promise.tail_zeros = false; }, Fault::tail_not_zeroed},
      {Excuse::full_width, [](Capabilities& c) { c.promise.full_width = true; }, Fault::none, fills_the_width()},
      {Excuse::ahead, [](Capabilities& c) { c.ahead = false; }, Fault::lengths_read_on_host},
      {Excuse::orders, [](Capabilities& c) { c.orders = false; }, Fault::none,
       wrong_if([](const Call& call) { return call.order != 0; })},
  };
}

// --- how they are judged

class Judge {
 public:
  Judge(const Case& one, bool declares, Fault also = Fault::none)
      : builder_(make(one, declares, also)), peer_(host_builders().front().make(Fault::none)), laws_(all_laws()) {
    player_ = std::make_unique<sim::Player>(builder_, peer_.get(), laws_);
  }

  /// The first violation among `cases` scenarios, "law: where".
  std::optional<std::string> violation(std::uint64_t cases, bool far) {
    const sim::Space space{.length_high = 300, .rows_high = 4, .steps_high = 12, .far = far};
    for (std::uint64_t i = 0; i < cases; ++i) {
      const sim::Fitted own = sim::fit(sim::draw(sim::sub_seed(81, i), space), builder_.capabilities().promise);
      sim::ExcuseTally::note(fitted_.cases, own.by);
      for (const sim::Violation& violation : player_->play(own.scenario))
        return violation.law + ": " + violation.place.text + ", expected " + violation.expected + ", got " +
               violation.got;
    }
    return std::nullopt;
  }

  std::int64_t mattered(Excuse excuse) const {
    const auto at = static_cast<std::size_t>(excuse);
    return fitted_.cases[at] + player_->excuses().not_given[at] + player_->excuses().milder[at];
  }

  sim::ExcuseTally tally() const { return player_->excuses(); }

 private:
  static DeclaredBuilder make(const Case& one, bool declares, Fault also) {
    Capabilities capabilities;
    if (declares) one.declare(capabilities);
    return {host_builders().front().make(also == Fault::none ? one.fault : also), capabilities,
            also == Fault::none ? one.bend : Bend{}};
  }

  DeclaredBuilder builder_;
  std::unique_ptr<Builder> peer_;
  Laws laws_;
  std::unique_ptr<sim::Player> player_;
  sim::ExcuseTally fitted_;
};

constexpr std::uint64_t most = 400;

class Promises : public testing::TestWithParam<std::size_t> {
 protected:
  Case one_ = cases()[GetParam()];
  bool far_ = one_.excuse == Excuse::far_rows;
};

std::string name_of(const testing::TestParamInfo<std::size_t>& info) {
  return std::string(sim::excuse_catalogue()[static_cast<std::size_t>(cases()[info.param].excuse)].name) +
         std::to_string(info.param);
}

TEST_P(Promises, ExcuseWhatIsDeclared) {
  Judge judge(one_, true);
  EXPECT_EQ(judge.violation(far_ ? 300 : 120, far_).value_or("held"), "held");
  EXPECT_GT(judge.mattered(one_.excuse), 0);
}

TEST_P(Promises, ExcuseNothingThatIsNotDeclared) { EXPECT_NE(Judge(one_, false).violation(most, far_), std::nullopt); }

// Whatever shows the fault comes under the excuse, too.
bool comes_with(Excuse excuse, Fault fault) {
  return (excuse == Excuse::swa && fault == Fault::swa_stride_borrowed) ||
         (excuse == Excuse::clamps && fault == Fault::length_cut_to_32_bits) ||
         (excuse == Excuse::write_slots && fault == Fault::tail_not_zeroed);
}

// The fault of the next builder in the list, under this one's promise.
TEST_P(Promises, ExcuseNothingElse) {
  const std::vector<Case> all = cases();
  std::size_t next = GetParam();
  do next = (next + 1) % all.size();
  while (all[next].fault == Fault::none || all[next].excuse == one_.excuse || comes_with(one_.excuse, all[next].fault));
  EXPECT_NE(Judge(one_, true, all[next].fault).violation(most, far_), std::nullopt) << fault_name(all[next].fault);
}

INSTANTIATE_TEST_SUITE_P(All, Promises, testing::Range<std::size_t>(0, 26), name_of);

TEST(Promises, OfNothingChangeNothing) {
  const Case plain{Excuse::modes, [](Capabilities&) {}};
  Judge judge(plain, true);
  EXPECT_EQ(judge.violation(60, false), std::nullopt);
  EXPECT_EQ(judge.tally(), sim::ExcuseTally{});
}

}  // namespace
}  // namespace pagestorm::props
