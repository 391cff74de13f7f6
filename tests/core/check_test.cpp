#include "core/check.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <stdexcept>

#include "pagestorm/builder.hpp"
#include "right_shapes.hpp"

namespace pagestorm::core {
namespace {

using Shapes = RightShapes;

struct Breach {
  const char* says;  ///< null: nothing is wrong
  std::function<void(Shapes&)> make;
  friend std::ostream& operator<<(std::ostream& out, const Breach& breach) {
    return out << (breach.says == nullptr ? "accepted" : breach.says);
  }
};

const Breach breaches[] = {
    {nullptr, [](Shapes&) {}},
    {"page_size: must be 1 to 4096", [](Shapes& s) { s.in.page_size = 0; }},
    {"page_size: must be 1 to 4096", [](Shapes& s) { s.in.page_size = -1; }},
    {"page_size: must be 1 to 4096", [](Shapes& s) { s.in.page_size = 4097; }},
    {nullptr, [](Shapes& s) { s.in.page_size = 4096; }},
    {"rows: must not be negative", [](Shapes& s) { s.in.rows = -1; }},
    {"tokens_per_row: must be at least 1", [](Shapes& s) { s.in.tokens_per_row = 0; }},
    {"draft_step: must not be negative", [](Shapes& s) { s.in.draft_step = -1; }},
    {"req_to_token: is missing", [](Shapes& s) { s.in.req_to_token.data = nullptr; }},
    {"req_pool_indices: has fewer elements than the batch has rows", [](Shapes& s) { s.in.req_pool_indices.size = 1; }},
    {"seq_lens: has fewer elements than the batch has rows", [](Shapes& s) { s.in.seq_lens.size = 1; }},
    {"page_table: has fewer rows than the batch", [](Shapes& s) { s.out.page_table.rows = 1; }},
    {"status: is missing", [](Shapes& s) { s.out.status = nullptr; }},
    {"swa_page_table: must be given with full_to_swa, and only then",
     [](Shapes& s) { s.out.swa_page_table.data = nullptr; }},
    {"swa_page_table: must be given with full_to_swa, and only then",
     [](Shapes& s) { s.in.full_to_swa.data = nullptr; }},
    {"swa_page_table: has fewer rows than the batch", [](Shapes& s) { s.out.swa_page_table.rows = 1; }},
    {"swa_page_table: must be as wide as page_table", [](Shapes& s) { s.out.swa_page_table.cols = 5; }},
    {"extend_seq_lens: has fewer elements than the batch has rows", [](Shapes& s) { s.in.extend_seq_lens.size = 1; }},
    {nullptr,
     [](Shapes& s) {
       s.in.extend_seq_lens = {};
       s.in.has_cached_prefix = false;
     }},
    {nullptr,
     [](Shapes& s) {
       s.in.extend_seq_lens = {};
       s.in.mode = Mode::decode;
     }},
    {"cache_seqlens: has fewer elements than the batch has rows", [](Shapes& s) { s.out.cache_seqlens.size = 1; }},
    {"cu_seqlens_q: needs one element more than the batch has rows", [](Shapes& s) { s.out.cu_seqlens_q.size = 2; }},
    {"cu_seqlens_k: needs one element more than the batch has rows", [](Shapes& s) { s.out.cu_seqlens_k.size = 2; }},
    // build wants nothing but the tables.
    {nullptr,
     [](Shapes& s) {
       s.in.entry = Entry::build;
       s.in.extend_seq_lens = {};
       s.out.cache_seqlens = s.out.cu_seqlens_q = s.out.cu_seqlens_k = {};
     }},
    // No rows: nothing is read, but element 0 of both sums is written.
    {nullptr,
     [](Shapes& s) {
       s.in.rows = 0;
       s.in.req_to_token = {};
       s.in.req_pool_indices = s.in.seq_lens = s.in.extend_seq_lens = {};
     }},
    {"cu_seqlens_q: needs one element more than the batch has rows",
     [](Shapes& s) {
       s.in.rows = 0;
       s.out.cu_seqlens_q.size = 0;
     }},
};

class Complaint : public testing::TestWithParam<Breach> {};

TEST_P(Complaint, NamesTheArgumentThatIsWrong) {
  Shapes shapes;
  GetParam().make(shapes);
  const char* said = complaint(shapes.in, shapes.out);
  EXPECT_STREQ(said, GetParam().says);
}

INSTANTIATE_TEST_SUITE_P(Each, Complaint, testing::ValuesIn(breaches));

TEST(Complaint, IsThrownByEveryHostBuilderBeforeAnythingIsWritten) {
  for (const BuilderEntry& entry : host_builders()) {
    Shapes shapes;
    shapes.cell = 42;
    shapes.out.cu_seqlens_k.size = 2;
    const auto builder = entry.make(Fault::none);
    EXPECT_THROW(builder->enqueue({.batch = shapes.in, .out = shapes.out}), std::invalid_argument) << entry.name;
    EXPECT_EQ(shapes.cell, 42);
    EXPECT_EQ(shapes.status, 0u);
  }
}

}  // namespace
}  // namespace pagestorm::core
