#include "misread.hpp"

#include <fmt/format.h>

#include "sim/checks.hpp"
#include "sim/engine/prompts.hpp"

namespace pagestorm::props {
namespace {

using sim::Part;

std::string token_of(std::uint64_t id) {
  if (id == poison_tag) return "poison";
  const std::int64_t owner = sim::owner_of(id);
  const std::string whose = owner < 0 ? std::string("a prompt") : sim::letter(owner);
  return fmt::format("the token of {} at position {}{}", whose, sim::position_of(id),
                     (id >> 24 & 0xffff) == 0 ? "" : fmt::format(", attempt {}", id >> 24 & 0x7fff));
}

Part part_of(MisreadKind what) {
  switch (what) {
    case MisreadKind::keys: return Part::cache_seqlens;
    case MisreadKind::queries: return Part::cu_seqlens_q;
    case MisreadKind::swa_page:
    case MisreadKind::swa_token: return Part::swa_page_table;
    default: return Part::page_table;
  }
}

std::int64_t word_of(const sim::Moment& moment, const KvMisread& misread) {
  const sim::Section& section = moment.layout().section(part_of(misread.what));
  if (misread.what == MisreadKind::keys) return section.at(0, misread.row);
  if (misread.what == MisreadKind::queries) return section.at(0, misread.row + 1);
  return section.at(misread.row, misread.key / moment.world().config().page_size);
}

// A reader that is wrong itself may name anything.
bool is_in_batch(const sim::Moment& moment, const KvMisread& misread) {
  const sim::Section& table = moment.layout().section(Part::page_table);
  return misread.row >= 0 && misread.row < moment.batch().rows && misread.key >= 0 &&
         (misread.key == 0 || misread.key / moment.world().config().page_size < table.cols);
}

}  // namespace

sim::Violation violation_of(const sim::Moment& moment, const KvMisread& misread) {
  if (!is_in_batch(moment, misread))
    return {.place = {.text = "a row or key that the batch does not have"},
            .expected = "nothing misread",
            .got = describe(misread),
            .why = "a reader walks the rows of the batch"};
  const std::int64_t word = word_of(moment, misread);
  const std::int32_t got = moment.first().words()[word];
  const auto at_word = [&](std::string expected, std::string found, const char* why) {
    return sim::at_word(moment, moment.first(), word, std::move(expected), std::move(found), why);
  };
  const char* why = "attention meets the tokens of the request, each at its position, and nothing else";
  switch (misread.what) {
    case MisreadKind::keys:
      return at_word(fmt::format("{}", misread.want), sim::show(got), "the last query of a row stands at the last key");
    case MisreadKind::queries:
      return at_word(fmt::format("{} queries in this row", misread.want),
                     fmt::format("{}", static_cast<std::int64_t>(misread.got)),
                     "a row has a query for each token that it writes");
    case MisreadKind::page:
    case MisreadKind::swa_page: return at_word("a page of the pool", sim::show(got), why);
    default:
      return at_word(fmt::format("a page with {} at offset {}", token_of(misread.want),
                                 misread.key % moment.world().config().page_size),
                     fmt::format("page {} with {}", got, token_of(misread.got)), why);
  }
}

std::string describe(const KvMisread& misread) {
  if (misread.what == MisreadKind::none) return "nothing misread";
  const auto got = static_cast<std::int64_t>(misread.got);
  if (misread.what == MisreadKind::keys || misread.what == MisreadKind::queries)
    return fmt::format("row {}, {}: wanted {}, got {}", misread.row, sim::name_of(part_of(misread.what)), misread.want,
                       got);
  const char* model = misread.model == KvModel::target ? "target" : "draft";
  const std::string where = fmt::format("row {}, key {} of {}, {} model", misread.row, misread.key,
                                        sim::name_of(part_of(misread.what)), model);
  if (misread.what == MisreadKind::page || misread.what == MisreadKind::swa_page)
    return fmt::format("{}: page {} is none of the pool", where, got);
  return fmt::format("{}: wanted {}, got {}", where, token_of(misread.want), token_of(misread.got));
}

}  // namespace pagestorm::props
