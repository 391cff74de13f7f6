#include "checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace pagestorm::sim {
namespace {

constexpr std::int64_t map_radius = 4;  // cells on either side of the wrong one

bool is_table(Part part) { return part == Part::page_table || part == Part::swa_page_table; }

RowMap map_around(const Moment& moment, const Image& got, Part part, std::int64_t row, std::int64_t column) {
  const Section& table = moment.layout().section(part);
  Reference& expected = moment.expected();
  RowMap map{.first_column = std::max<std::int64_t>(0, column - map_radius), .width = table.cols};
  for (std::int64_t c = map.first_column; c <= column + map_radius; ++c) {
    const std::int64_t word = table.at(row, c);
    if (word >= moment.layout().words()) break;
    map.got.push_back(got.words()[word]);
    if (row >= expected.rows() || c >= expected.live(row)) continue;
    const PagePair pair = expected.page(row, c);
    map.expected.push_back(part == Part::page_table ? pair.full : pair.swa);
  }
  return map;
}

std::optional<Violation> wrong(const Moment& moment, const Image& got, std::int64_t word, std::int64_t expected,
                               std::int64_t found, std::string why) {
  return at_word(moment, got, word, show(static_cast<std::int32_t>(expected)), show(static_cast<std::int32_t>(found)),
                 std::move(why));
}

std::optional<Violation> wrong_vector(const Moment& moment, const Image& got) {
  const Reference& expected = moment.expected();
  const std::int32_t* words = got.words();
  const auto check = [&](Part part, std::int64_t i, std::int32_t want, const char* why) -> std::optional<Violation> {
    const std::int64_t word = moment.layout().section(part).at(0, i);
    if (words[word] == want) return std::nullopt;
    return wrong(moment, got, word, want, words[word], why);
  };
  for (const Part part : {Part::cu_seqlens_q, Part::cu_seqlens_k})
    if (expected.promise().element_zero)
      if (auto v = check(part, 0, 0, "element 0 of a cumulative length is 0")) return v;
  for (std::int64_t r = 0; r < expected.rows(); ++r) {
    if (auto v = check(Part::cache_seqlens, r, expected.keys(r), "the KV length of the row, by mode")) return v;
    if (auto v = check(Part::cu_seqlens_q, r + 1, expected.sum_q(r + 1), "the queries of all rows up to this one"))
      return v;
    if (auto v = check(Part::cu_seqlens_k, r + 1, expected.sum_k(r + 1), "the KV lengths of all rows up to this one"))
      return v;
  }
  return std::nullopt;
}

bool holds_row(const Image& image, const Section& table, std::int64_t row, std::span<const std::int32_t> want) {
  const std::int32_t* cell = image.words() + table.at(row, 0);
  if (table.col_stride == 1) return std::equal(want.begin(), want.end(), cell);
  for (std::size_t c = 0; c < want.size(); ++c, cell += table.col_stride)
    if (*cell != want[c]) return false;
  return true;
}

std::optional<Violation> wrong_cell(const Moment& moment, const Image& got) {
  Reference& expected = moment.expected();
  const std::int32_t* words = got.words();
  const Section& full = moment.layout().section(Part::page_table);
  const Section& swa = moment.layout().section(Part::swa_page_table);
  for (std::int64_t r = 0; r < expected.rows(); ++r) {
    if (holds_row(got, full, r, expected.pages(r)) &&
        (!expected.swa() || holds_row(got, swa, r, expected.swa_pages(r))))
      continue;
    for (std::int64_t c = 0; c < expected.live(r); ++c) {
      const PagePair want = expected.page(r, c);
      if (const std::int64_t word = full.at(r, c); words[word] != want.full && !expected.is_open(r, c, false))
        return wrong(moment, got, word, want.full, words[word], "the page of the first slot of this column");
      if (!expected.swa()) continue;
      if (const std::int64_t word = swa.at(r, c); words[word] != want.swa && !expected.is_open(r, c, true))
        return wrong(moment, got, word, want.swa, words[word],
                     "the SWA page that the map gives for the first slot of this column");
    }
  }
  return std::nullopt;
}

std::optional<Violation> wrong_write_slot(const Moment& moment, const Image& got) {
  const Section& writes = moment.layout().section(Part::swa_out_cache_loc);
  const Promise& promise = moment.expected().promise();
  const std::int64_t given = promise.write_slots ? moment.batch().out_cache_loc.size : 0;
  const std::int64_t end = promise.tail_zeros && promise.write_slots ? moment.extent().write_slots
                                                                     : std::min(given, moment.extent().write_slots);
  for (std::int64_t i = 0; i < end; ++i) {
    const std::int64_t want = moment.expected().write_slot(i);
    std::int64_t have = 0;
    std::memcpy(&have, got.words() + writes.at(0, i), sizeof have);
    if (have == want) continue;
    const bool tail = i >= moment.batch().out_cache_loc.size;
    return at_word(moment, got, writes.at(0, i), std::to_string(want), std::to_string(have),
                   tail ? "after the slots given, swa_out_cache_loc is zero" : "the SWA slot of the slot written");
  }
  return std::nullopt;
}

}  // namespace

std::string letter(std::int64_t serial) {
  std::string text;
  for (++serial; serial > 0; serial = (serial - 1) / 26)
    text.insert(text.begin(), static_cast<char>('A' + (serial - 1) % 26));
  return text;
}

std::string show(std::int32_t word) {
  if (word == Moment::first_poison || word == Moment::second_poison) return "poison (not written)";
  return fmt::format("{}", word);
}

std::string describe_row(const Moment& moment, std::int64_t row) {
  const Forward& forward = moment.forward();
  if (row < 0 || row >= static_cast<std::int64_t>(forward.rows.size())) return "a row that the batch does not have";
  const ForwardRow& own = forward.rows[static_cast<std::size_t>(row)];
  const std::string who = own.request < 0
                              ? (row < forward.real_rows ? "of no request" : "padding")
                              : letter(moment.world().requests()[static_cast<std::size_t>(own.request)].serial);
  std::string text = fmt::format("{}, length {}, K {}", who, own.length, moment.expected().keys(row));
  if (own.odd != Odd::none) text += fmt::format(", told {}", name_of(own.odd));
  return text;
}

// The first word is right, and each equals the one after it.
bool all_are(std::int32_t value, const std::int32_t* words, const Range& range) {
  const std::int32_t* first = words + range.first;
  return *first == value && std::equal(first, words + range.last - 1, first + 1);
}

Violation at_word(const Moment& moment, const Image& got, std::int64_t word, std::string expected, std::string found,
                  std::string why) {
  Violation violation{.place = moment.layout().locate(word),
                      .expected = std::move(expected),
                      .got = std::move(found),
                      .why = std::move(why)};
  for (const Part part : {Part::page_table, Part::swa_page_table}) {
    const Section& table = moment.layout().section(part);
    const std::int64_t reach = table.last() + ImageLayout::fence;
    if (table.rows == 0 || word < table.first || word >= reach || table.row_stride == 0) continue;
    const std::int64_t row = std::min((word - table.first) / table.row_stride, table.rows - 1);
    const std::int64_t column = (word - table.at(row, 0)) / table.col_stride;
    violation.map = map_around(moment, got, part, row, column);
    violation.place.row = row;
    violation.place.column = column;
    break;
  }
  if (is_table(violation.place.part) || violation.place.part == Part::cache_seqlens)
    violation.why += fmt::format(
        "; this is {}",
        describe_row(moment, is_table(violation.place.part) ? violation.place.row : violation.place.column));
  return violation;
}

std::optional<Violation> differs_from_reference(const Moment& moment, const Image& got) {
  if (moment.expected().sums())
    if (auto violation = wrong_vector(moment, got)) return violation;
  if (auto violation = wrong_cell(moment, got)) return violation;
  if (moment.expected().sums() && moment.expected().swa())
    if (auto violation = wrong_write_slot(moment, got)) return violation;
  const std::int64_t status = moment.layout().section(Part::status).first;
  const auto found = static_cast<std::uint32_t>(got.words()[status]);
  if (found == moment.expected().status() || !moment.expected().promise().status) return std::nullopt;
  return at_word(moment, got, status, fmt::format("{:#x}", moment.expected().status()), fmt::format("{:#x}", found),
                 "the status word says what the launch had to guard against");
}

std::optional<Violation> differs(const Moment& moment, const Zone& zone, const Image& wanted, const Image& got,
                                 bool with_status, std::string why) {
  const std::int64_t status = moment.layout().section(Part::status).first;
  for (const Range& range : zone.judged()) {
    const auto bytes = static_cast<std::size_t>(range.last - range.first) * sizeof(std::int32_t);
    if (std::memcmp(wanted.words() + range.first, got.words() + range.first, bytes) == 0) continue;
    for (std::int64_t w = range.first; w < range.last; ++w) {
      if (wanted.words()[w] == got.words()[w] || (w == status && !with_status)) continue;
      return at_word(moment, got, w, show(wanted.words()[w]), show(got.words()[w]), std::move(why));
    }
  }
  return std::nullopt;
}

std::optional<Violation> differs_in_live(const Moment& moment, const Zone& zone, const Image& wanted, const Image& got,
                                         std::string why) {
  const std::int64_t status = moment.layout().section(Part::status).first;
  for (const Range& range : zone.live()) {
    if (std::equal(wanted.words() + range.first, wanted.words() + range.last, got.words() + range.first)) continue;
    for (std::int64_t w = range.first; w < range.last; ++w)
      if (w != status && wanted.words()[w] != got.words()[w])
        return at_word(moment, got, w, show(wanted.words()[w]), show(got.words()[w]), std::move(why));
  }
  return std::nullopt;
}

}  // namespace pagestorm::sim
