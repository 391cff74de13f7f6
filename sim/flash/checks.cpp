#include "checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "../checks.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::int64_t map_radius = 4;  // cells on either side of the wrong one

RowMap map_around(const FlashMoment& moment, const Image& got, std::int64_t row, std::int64_t column) {
  const Section& table = moment.layout().section(Part::page_table);
  RowMap map{.first_column = std::max<std::int64_t>(0, column - map_radius), .width = table.cols};
  for (std::int64_t c = map.first_column; c <= column + map_radius; ++c) {
    const std::int64_t word = table.at(row, c);
    if (word >= moment.layout().words()) break;
    map.got.push_back(got.words()[word]);
    if (row < moment.expected().rows() && c < moment.expected().live(row))
      map.expected.push_back(moment.expected().cells(row)[static_cast<std::size_t>(c)]);
  }
  return map;
}

std::optional<Violation> wrong_number(const FlashMoment& moment, const Image& got, Part part, std::int64_t i,
                                      std::int32_t want, const char* why) {
  const std::int64_t word = moment.layout().section(part).at(0, i);
  if (got.words()[word] == want) return std::nullopt;
  return at_word(moment, got, word, show(want), show(got.words()[word]), why);
}

std::optional<Violation> wrong_length(const FlashMoment& moment, const Image& got) {
  const FlashReference& expected = moment.expected();
  for (std::int64_t b = 0; b < expected.prefixes(); ++b)
    if (auto v =
            wrong_number(moment, got, Part::prefix_seqlens, b, expected.prefix(b), "the whole pages of the prefix"))
      return v;
  for (std::int64_t r = 0; r <= expected.rows(); ++r) {
    if (auto v = wrong_number(moment, got, Part::cu_seqlens_q, r, expected.sum_q(r), "the queries before this row"))
      return v;
    if (auto v = wrong_number(moment, got, Part::cu_seqlens_k, r, expected.sum_k(r), "the keys before this row"))
      return v;
    if (r == expected.rows()) break;
    if (auto v = wrong_number(moment, got, Part::cache_seqlens, r, expected.keys(r), "the keys of the expanded row"))
      return v;
  }
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(expected.schedule().size()); ++i)
    if (auto v = wrong_number(moment, got, Part::schedule, i, expected.schedule()[static_cast<std::size_t>(i)],
                              "a counter of 0, then the splits of each row, 0 where there is none"))
      return v;
  return std::nullopt;
}

}  // namespace

std::string describe_row(const FlashMoment& moment, std::int64_t row) {
  const std::int64_t owner = row < moment.expected().rows() ? moment.expected().row_of(row) : -1;
  if (owner < 0) return fmt::format("row {} of {}, which no row of the batch has", row, name_of(moment.ask().op));
  const ForwardRow& own = moment.forward().rows[static_cast<std::size_t>(owner)];
  const std::string who =
      own.request < 0 ? "padding" : letter(moment.world().requests()[static_cast<std::size_t>(own.request)].serial);
  std::string text =
      fmt::format("row {} of {}, of row {} ({}, {} tokens)", row, name_of(moment.ask().op), owner, who, own.committed);
  if (moment.ask().swa) text += " for SWA layers";
  if (own.odd != Odd::none) text += fmt::format(", told {}", name_of(own.odd));
  return text;
}

Violation at_word(const FlashMoment& moment, const Image& got, std::int64_t word, std::string expected,
                  std::string found, std::string why) {
  Violation violation{.place = moment.layout().locate(word),
                      .expected = std::move(expected),
                      .got = std::move(found),
                      .why = std::move(why)};
  const Section& table = moment.layout().section(Part::page_table);
  if (table.rows > 0 && table.row_stride > 0 && word >= table.first && word < table.last() + ImageLayout::fence) {
    const std::int64_t row = std::min((word - table.first) / table.row_stride, table.rows - 1);
    violation.place.row = row;
    violation.place.column = (word - table.at(row, 0)) / table.col_stride;
    violation.map = map_around(moment, got, row, violation.place.column);
  }
  const bool of_row = violation.place.part == Part::page_table || violation.place.part == Part::cache_seqlens;
  const std::int64_t row = violation.place.part == Part::page_table ? violation.place.row : violation.place.column;
  violation.why += fmt::format("; {}", of_row ? describe_row(moment, row) : std::string(name_of(moment.ask().op)));
  return violation;
}

std::optional<Violation> differs(const FlashMoment& moment, const Image& wanted, const Image& got, bool with_status,
                                 std::string why) {
  const std::int64_t status = moment.layout().section(Part::status).first;
  for (const Range& range : moment.zone().judged())
    for (std::int64_t w = range.first; w < range.last; ++w)
      if (wanted.words()[w] != got.words()[w] && (w != status || with_status))
        return at_word(moment, got, w, show(wanted.words()[w]), show(got.words()[w]), std::move(why));
  return std::nullopt;
}

std::optional<Violation> differs_from_first(const FlashMoment& moment, const ImageLayout& layout, const Image& got,
                                            const std::string& why) {
  const FlashReference& expected = moment.expected();
  const auto compare = [&](Part part, std::int64_t row, std::int64_t column) -> std::optional<Violation> {
    const std::int64_t word = moment.layout().section(part).at(row, column);
    const std::int32_t want = moment.first().words()[word];
    const std::int32_t found = got.words()[layout.section(part).at(row, column)];
    if (want == found) return std::nullopt;
    Violation violation = at_word(moment, moment.first(), word, show(want), show(found), why);
    violation.map.reset();
    return violation;
  };
  const auto compare_vector = [&](Part part, std::int64_t size) -> std::optional<Violation> {
    for (std::int64_t i = 0; i < size; ++i)
      if (auto violation = compare(part, 0, i)) return violation;
    return std::nullopt;
  };
  if (auto violation = compare_vector(Part::prefix_seqlens, expected.prefixes())) return violation;
  if (auto violation = compare_vector(Part::cache_seqlens, expected.rows())) return violation;
  if (auto violation = compare_vector(Part::cu_seqlens_q, expected.rows() + 1)) return violation;
  if (auto violation = compare_vector(Part::cu_seqlens_k, expected.rows() + 1)) return violation;
  const auto scheduled = static_cast<std::int64_t>(expected.schedule().size());
  if (auto violation = compare_vector(Part::schedule, scheduled)) return violation;
  for (std::int64_t r = 0; r < expected.rows(); ++r)
    for (std::int64_t c = 0; c < expected.live(r); ++c)
      if (auto violation = compare(Part::page_table, r, c)) return violation;
  return compare_vector(Part::status, 1);
}

std::optional<Violation> differs_from_reference(const FlashMoment& moment, const Image& got) {
  const FlashReference& expected = moment.expected();
  if (auto violation = wrong_length(moment, got)) return violation;
  const Section& table = moment.layout().section(Part::page_table);
  for (std::int64_t r = 0; r < expected.rows(); ++r)
    for (std::int64_t c = 0; c < expected.live(r); ++c) {
      const std::int32_t want = expected.cells(r)[static_cast<std::size_t>(c)];
      const std::int64_t word = table.at(r, c);
      if (got.words()[word] != want)
        return at_word(moment, got, word, show(want), show(got.words()[word]), "what the row names by this column");
    }
  const std::int64_t status = moment.layout().section(Part::status).first;
  const auto found = static_cast<std::uint32_t>(got.words()[status]);
  if (found == expected.status()) return std::nullopt;
  return at_word(moment, got, status, fmt::format("{:#x}", expected.status()), fmt::format("{:#x}", found),
                 "the status word says what the launch had to guard against");
}

}  // namespace pagestorm::sim
