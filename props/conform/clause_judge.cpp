#include "clause_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <string>

#include "attribute.hpp"
#include "cell_facts.hpp"
#include "sim/checks.hpp"
#include "sim/element.hpp"

namespace pagestorm::props {
namespace {

using sim::Moment;
using sim::Part;
using sim::Section;

constexpr Part tables[] = {Part::page_table, Part::swa_page_table};

class Walk {
 public:
  explicit Walk(Moment& moment)
      : moment_(moment),
        batch_(moment.batch()),
        expected_(moment.expected()),
        facts_(moment),
        pass_(facts_.of_pass()),
        keys_wrong_(static_cast<std::size_t>(batch_.rows), false) {}

  std::vector<Breach> run() {
    lengths();
    sums(Part::cu_seqlens_k);
    sums(Part::cu_seqlens_q);
    for (const Part part : tables)
      if (moment_.layout().section(part).rows > 0) table(part);
    if (expected_.swa()) write_slots();
    strays();
    if (breaches_.empty()) status();
    return std::move(breaches_);
  }

 private:
  std::int32_t first(std::int64_t word) const { return moment_.first().words()[word]; }
  std::int32_t second(std::int64_t word) const { return moment_.second().words()[word]; }

  // Whether an element that must be `want` is not, and in which way.
  template <class Value>
  bool is_wrong(std::int64_t word, Value want, Symptom& symptom) const {
    Value a{}, b{};
    std::memcpy(&a, moment_.first().words() + word, sizeof a);
    std::memcpy(&b, moment_.second().words() + word, sizeof b);
    if (a == want && b == want) return false;
    const bool untouched = first(word) == Moment::first_poison && second(word) == Moment::second_poison;
    symptom.wrong = untouched ? Wrong::missing : a != b ? Wrong::old_contents : Wrong::value;
    return true;
  }

  void add(const Symptom& symptom, std::int64_t word, std::string want) {
    const std::string_view clause = clause_of(symptom);
    if (std::ranges::any_of(breaches_, [&](const Breach& known) { return known.clause == clause; })) return;
    const bool in_second = symptom.wrong == Wrong::stray && first(word) == Moment::first_poison;
    const sim::Image& image = in_second ? moment_.second() : moment_.first();
    sim::Violation violation =
        sim::at_word(moment_, image, word, std::move(want), sim::show(image.words()[word]), why(symptom, clause));
    violation.law = symptom.wrong == Wrong::value ? "agrees_with_reference" : "writes_only_live_cells";
    breaches_.push_back({clause, std::move(violation)});
  }

  static std::string why(const Symptom& symptom, std::string_view clause) {
    const std::string_view title = clause_catalogue()[clause_index(clause)].title;
    const char* how = symptom.wrong == Wrong::missing        ? "the cell was not written"
                      : symptom.wrong == Wrong::stray        ? "the word must not be written"
                      : symptom.wrong == Wrong::old_contents ? "what is written depends on what was there"
                                                             : "the value is another";
    return fmt::format("{}: {}; {}", clause, title, how);
  }

  void lengths() {
    bool real_wrong = false;
    for (std::int64_t r = 0; r < batch_.rows; ++r) {
      Symptom symptom = facts_.of_row(Part::cache_seqlens, r, real_wrong);
      const std::int64_t word = moment_.layout().section(Part::cache_seqlens).at(0, r);
      if (!is_wrong(word, expected_.keys(r), symptom)) continue;
      keys_wrong_[static_cast<std::size_t>(r)] = symptom.wrong != Wrong::missing;
      any_keys_wrong_ = any_keys_wrong_ || symptom.wrong != Wrong::missing;
      add(symptom, word, std::to_string(expected_.keys(r)));
      real_wrong = real_wrong || !facts_.is_padded(r);
    }
  }

  void sums(Part part) {
    const bool of_keys = part == Part::cu_seqlens_k;
    const Section& section = moment_.layout().section(part);
    bool real_wrong = false;
    for (std::int64_t i = expected_.promise().element_zero ? 0 : 1; i <= batch_.rows; ++i) {
      Symptom symptom = pass_;
      if (i > 0) symptom = facts_.of_row(part, i - 1, real_wrong);
      symptom.part = part;
      symptom.element_zero = i == 0;
      symptom.keys_right = !sums_of_keys_wrong_;
      const std::int32_t want = of_keys ? expected_.sum_k(i) : expected_.sum_q(i);
      symptom.saturated = want == std::numeric_limits<std::int32_t>::max();
      if (!is_wrong(section.at(0, i), want, symptom)) continue;
      symptom.is_hostile = std::abs(std::int64_t{first(section.at(0, i))} - want) > sim::Inputs::hostile / 2;
      sums_of_keys_wrong_ = sums_of_keys_wrong_ || (of_keys && i > 0);
      real_wrong = real_wrong || i == 0 || !facts_.is_padded(i - 1);
      // A wrong K is in every sum behind it.
      const bool follows = symptom.wrong == Wrong::value && i > 0 && (any_keys_wrong_ || is_carried(part, i));
      if (!follows) add(symptom, section.at(0, i), std::to_string(want));
    }
  }

  // Whether a sum is wrong by no more than the one before it.
  bool is_carried(Part part, std::int64_t i) const {
    const auto want = [&](std::int64_t at) -> std::int64_t {
      return part == Part::cu_seqlens_k ? expected_.sum_k(at) : expected_.sum_q(at);
    };
    const auto got = [&](std::int64_t at) -> std::int64_t { return first(moment_.layout().section(part).at(0, at)); };
    constexpr std::int64_t full = std::numeric_limits<std::int32_t>::max();
    const bool both_full = got(i - 1) == full && got(i) == full;
    return got(i - 1) != want(i - 1) && (both_full || got(i) - got(i - 1) == want(i) - want(i - 1));
  }

  void table(Part part) {
    const Section& section = moment_.layout().section(part);
    const bool swa = part == Part::swa_page_table;
    bool real_wrong = false;
    for (std::int64_t r = 0; r < batch_.rows; ++r) {
      if (keys_wrong_[static_cast<std::size_t>(r)]) continue;
      for (std::int64_t c = 0; c < expected_.live(r); ++c) {
        const sim::PagePair pages = expected_.page(r, c);
        const std::int64_t word = section.at(r, c);
        Symptom symptom = facts_.of_row(part, r, real_wrong);
        if (!is_wrong(word, swa ? pages.swa : pages.full, symptom) || expected_.is_open(r, c, swa)) continue;
        facts_.add_cell(symptom, r, c, first(word));
        if (symptom.wrong != Wrong::missing && facts_.is_spilled(part, r, c, first(word))) symptom = spill(part);
        add(symptom, word, std::to_string(swa ? pages.swa : pages.full));
        real_wrong = real_wrong || !facts_.is_padded(r);
      }
    }
  }

  Symptom spill(Part part) const {
    Symptom symptom = pass_;
    symptom.part = part;
    symptom.wrong = Wrong::stray;
    symptom.beyond_width = symptom.clamped = true;
    return symptom;
  }

  void write_slots() {
    const Section& section = moment_.layout().section(Part::swa_out_cache_loc);
    const Promise& promise = expected_.promise();
    const std::int64_t given = promise.write_slots ? batch_.out_cache_loc.size : 0;
    const bool all = promise.write_slots && promise.tail_zeros;
    const std::int64_t end = all ? moment_.extent().write_slots : std::min(given, moment_.extent().write_slots);
    bool real_wrong = false;
    for (std::int64_t i = 0; i < end; ++i) {
      Symptom symptom = pass_;
      symptom.part = Part::swa_out_cache_loc;
      symptom.tail = i >= given;
      symptom.slot_absent = !symptom.tail && sim::element(batch_.out_cache_loc, i) < 0;
      symptom.outside_map = !symptom.tail && sim::element(batch_.out_cache_loc, i) >= batch_.full_to_swa.size;
      const bool padded = i >= moment_.forward().written && !symptom.tail;
      symptom.padded = padded && moment_.forward().real_rows > 0 && !real_wrong;
      if (!is_wrong(section.at(0, i), expected_.write_slot(i), symptom)) continue;
      add(symptom, section.at(0, i), std::to_string(expected_.write_slot(i)));
      real_wrong = real_wrong || !padded;
    }
  }

  // Bits about cells that are wrong are wrong with them.
  void status() {
    Symptom symptom = pass_;
    symptom.part = Part::status;
    const std::int64_t word = moment_.layout().section(Part::status).first;
    const auto want = static_cast<std::int32_t>(expected_.status());
    if (!expected_.promise().status || !is_wrong(word, want, symptom)) return;
    symptom.wrong = Wrong::value;
    symptom.no_rows = false;
    add(symptom, word, fmt::format("{:#x}", expected_.status()));
  }

  void strays() {
    for (const sim::Range& range : moment_.zone().untouchable()) {
      if (sim::all_are(Moment::first_poison, moment_.first().words(), range) &&
          sim::all_are(Moment::second_poison, moment_.second().words(), range))
        continue;
      for (std::int64_t w = range.first; w < range.last; ++w)
        if (!is_untouched(w)) stray(w);
    }
  }

  bool is_untouched(std::int64_t word) const {
    return first(word) == Moment::first_poison && second(word) == Moment::second_poison;
  }

  void stray(std::int64_t word) {
    Symptom symptom = pass_;
    symptom.wrong = Wrong::stray;
    const Section& writes = moment_.layout().section(Part::swa_out_cache_loc);
    if (writes.rows > 0 && word >= writes.first && word < writes.last()) symptom.part = Part::swa_out_cache_loc;
    for (const Part part : tables) {
      const Section& section = moment_.layout().section(part);
      if (section.rows == 0 || word < section.first || word >= section.last() + sim::ImageLayout::fence) continue;
      symptom.part = part;
      if (section.row_stride == 0) break;  // a table of width 0
      const std::int64_t row = std::min((word - section.first) / section.row_stride, section.rows - 1);
      if (row < batch_.rows && keys_wrong_[static_cast<std::size_t>(row)]) return;
      symptom = stray_in(part, section, row, word);
      break;
    }
    add(symptom, word, "untouched");
  }

  Symptom stray_in(Part part, const Section& section, std::int64_t row, std::int64_t word) const {
    Symptom symptom = pass_;
    symptom.wrong = Wrong::stray;
    const std::int64_t offset = word - section.at(row, 0);
    const std::int64_t column = offset / section.col_stride;
    const bool in_a_row = row < batch_.rows && column < section.cols && offset % section.col_stride == 0;
    std::optional<std::int32_t> got;
    if (in_a_row) got = first(word) == Moment::first_poison ? second(word) : first(word);
    if (facts_.is_spilled(part, row, column, got)) return spill(part);
    if (row >= batch_.rows || offset % section.col_stride != 0) return symptom;
    symptom.part = part;
    symptom.clamped = facts_.needed(row) > section.cols;
    symptom.negative_length = sim::element(batch_.seq_lens, row) < 0;
    symptom.beyond_width = column >= section.cols;
    const std::int64_t live = expected_.live(row);
    symptom.one_too_many = column == live && (live + 1 >= section.cols || is_untouched(section.at(row, live + 1)));
    return symptom;
  }

  Moment& moment_;
  const Batch& batch_;
  sim::Reference& expected_;
  CellFacts facts_;
  Symptom pass_;
  std::vector<bool> keys_wrong_;
  bool any_keys_wrong_ = false, sums_of_keys_wrong_ = false;
  std::vector<Breach> breaches_;
};

}  // namespace

std::vector<Breach> breaches_of(Moment& moment) { return Walk(moment).run(); }

}  // namespace pagestorm::props
