#include "props/conform/clauses.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "props/conform/attribute.hpp"
#include "props/conform/clause_judge.hpp"
#include "sim/excuse.hpp"
#include "sim/player.hpp"
#include "tests/source_root.hpp"

namespace pagestorm::props {
namespace {

using sim::Part;

// "C1.1" and so on, as docs/contract.md numbers them, up to C13.
std::vector<std::string> clauses_of_the_contract() {
  std::ifstream file(source_root() / "docs" / "contract.md");
  std::vector<std::string> ids;
  const std::regex clause(R"(^- \*\*(C(\d+)\.\d+)\*\*)");
  for (std::string line; std::getline(file, line);)
    if (std::smatch found; std::regex_search(line, found, clause) && std::stoi(found[2]) <= 13) ids.push_back(found[1]);
  return ids;
}

TEST(Clauses, AreThoseOfTheContractInItsOrder) {
  std::vector<std::string> ids;
  for (const ClauseEntry& entry : clause_catalogue()) ids.emplace_back(entry.id);
  EXPECT_EQ(ids, clauses_of_the_contract());
}

TEST(Clauses, OfExcusesExist) {
  for (const sim::ExcuseEntry& entry : sim::excuse_catalogue()) {
    std::istringstream clauses{std::string(entry.clauses)};
    for (std::string id; clauses >> id;) EXPECT_NO_THROW(clause_index(id)) << entry.name;
  }
  EXPECT_THROW(clause_index("C5.9"), std::invalid_argument);
}

TEST(Attribution, OfAWrongCellGoesByItsSlot) {
  const auto cell = [](Part part, auto change) {
    Symptom symptom{.part = part};
    change(symptom);
    return clause_of(symptom);
  };
  EXPECT_EQ(cell(Part::page_table, [](Symptom&) {}), "C6.1");
  EXPECT_EQ(cell(Part::page_table, [](Symptom& s) { s.ill_divided = true; }), "C6.2");
  EXPECT_EQ(cell(Part::page_table, [](Symptom& s) { s.twin_differs = true; }), "C6.6");
  EXPECT_EQ(cell(Part::page_table, [](Symptom& s) { s.slot_absent = true; }), "C7.1");
  EXPECT_EQ(cell(Part::page_table, [](Symptom& s) { s.outside_pool = true; }), "C7.2");
  EXPECT_EQ(cell(Part::page_table, [](Symptom& s) { s.outside_row = true; }), "C7.3");
  EXPECT_EQ(cell(Part::page_table, [](Symptom& s) { s.padded = true; }), "C10.2");
  EXPECT_EQ(cell(Part::swa_page_table, [](Symptom&) {}), "C6.3");
  EXPECT_EQ(cell(Part::swa_page_table, [](Symptom& s) { s.tombstone = true; }), "C6.4");
  EXPECT_EQ(cell(Part::swa_page_table, [](Symptom& s) { s.outside_map = true; }), "C6.5");
  EXPECT_EQ(cell(Part::page_table, [](Symptom& s) { s.wrong = Wrong::missing; }), "C5.1");
  EXPECT_EQ(cell(Part::page_table, [](Symptom& s) { s.wrong = Wrong::missing, s.clamped = true; }), "C5.2");
  EXPECT_EQ(cell(Part::page_table, [](Symptom& s) { s.wrong = Wrong::old_contents; }), "C3.3");
}

TEST(Attribution, OfAStrayWordGoesByItsPlaceInTheRow) {
  const auto stray = [](auto change) {
    Symptom symptom{.wrong = Wrong::stray, .part = Part::page_table};
    change(symptom);
    return clause_of(symptom);
  };
  EXPECT_EQ(stray([](Symptom& s) { s.one_too_many = true; }), "C5.1");
  EXPECT_EQ(stray([](Symptom&) {}), "C5.3");
  EXPECT_EQ(stray([](Symptom& s) { s.clamped = s.beyond_width = true; }), "C5.2");
  EXPECT_EQ(stray([](Symptom& s) { s.width_zero = true; }), "C12.3");
  EXPECT_EQ(stray([](Symptom& s) { s.negative_length = true; }), "C4.2");
  EXPECT_EQ(stray([](Symptom& s) { s.part = Part::fence; }), "C3.2");
  EXPECT_EQ(stray([](Symptom& s) { s.part = Part::swa_out_cache_loc, s.writes_clamped = true; }), "C9.4");
}

TEST(Attribution, OfAVectorGoesByItsElement) {
  EXPECT_EQ(clause_of({.part = Part::cache_seqlens}), "C4.1");
  EXPECT_EQ(clause_of({.part = Part::cache_seqlens, .mode_adds = true}), "C1.1");
  EXPECT_EQ(clause_of({.part = Part::cache_seqlens, .negative_length = true}), "C4.2");
  EXPECT_EQ(clause_of({.part = Part::cache_seqlens, .saturated = true}), "C4.3");
  EXPECT_EQ(clause_of({.part = Part::cu_seqlens_q, .element_zero = true}), "C8.1");
  EXPECT_EQ(clause_of({.part = Part::cu_seqlens_k}), "C8.2");
  EXPECT_EQ(clause_of({.part = Part::cu_seqlens_q, .keys_right = true}), "C1.1");
  EXPECT_EQ(clause_of({.part = Part::cu_seqlens_q, .keys_right = true, .is_hostile = true}), "C1.4");
  EXPECT_EQ(clause_of({.part = Part::cu_seqlens_k, .saturated = true}), "C8.3");
  EXPECT_EQ(clause_of({.part = Part::cu_seqlens_k, .no_rows = true}), "C12.1");
  EXPECT_EQ(clause_of({.part = Part::swa_out_cache_loc}), "C9.1");
  EXPECT_EQ(clause_of({.part = Part::swa_out_cache_loc, .slot_absent = true}), "C9.2");
  EXPECT_EQ(clause_of({.part = Part::swa_out_cache_loc, .tail = true}), "C9.3");
  EXPECT_EQ(clause_of({.part = Part::swa_out_cache_loc, .padded = true}), "C10.3");
  EXPECT_EQ(clause_of({.part = Part::status}), "C11.2");
}

TEST(Attribution, IsRefinedByWhatTheSmallestScenarioStillNeeds) {
  const sim::StillFails nowhere = [](const sim::Scenario&) { return false; };
  const sim::StillFails at_pages_of_four = [](const sim::Scenario& other) { return other.config.page_size == 4; };
  sim::Scenario smallest;
  EXPECT_EQ(refined("C5.1", smallest, nowhere), "C5.1");
  smallest.config.page_size = 3;
  EXPECT_EQ(refined("C5.1", smallest, nowhere), "C2.1");
  EXPECT_EQ(refined("C5.1", smallest, at_pages_of_four), "C5.1");
  EXPECT_EQ(refined("C8.1", smallest, nowhere), "C8.1") << "no matter of pages";
  smallest.config.layout.map_type = IntType::int32;
  EXPECT_EQ(refined("C6.3", smallest, nowhere), "C2.3");
  smallest.config.layout.swa_table_padding = 1;
  EXPECT_EQ(refined("C6.3", smallest, nowhere), "C2.4");
}

}  // namespace
}  // namespace pagestorm::props
