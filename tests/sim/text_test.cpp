#include "sim/text.hpp"

#include <gtest/gtest.h>

#include "draw_finding.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::string_view golden =
    R"(pagestorm scenario 1
law: writes_only_live_cells
builder: host
fault: spills_past_width
note: check --seed 7, case #212
page_size: 64
context: 2048
requests: 2
pages: 512
swa: on
swa_pages: 96
window: 128
draft_tokens: 8
draft_steps: 5
block_window: 256
pool_seed: 0x00000000deadbeef
buckets: 1 2 4 8
cache: on
branch: 192
retract: on
timing: overlap read_end=in-replay graph_events=off tables=ring slots=3 plan_stream barrier=coarse staging=reused)"
    R"( algorithm=dflash bound=host lag=2
layout: index=int32 length=int32 location=int32 map=int32)"
    R"( input_stride=2 output_stride=3 slots_stride=4)"
    R"( slots_padding=5 table_stride=2 table_padding=6 swa_table_stride=3 swa_table_padding=7)"
    R"( write_room=-8 far=page_table sweep=near
steps:
  admit amount=2044
  arrive amount=300 family=8
  verify rows=4 amount=2 odd=negative-length odd_row=1 eager
  draft-extend who=1 rows=0
  idle amount=3
)";

Finding golden_finding() {
  Finding finding{"writes_only_live_cells", "host", "spills_past_width", "check --seed 7, case #212", {}};
  Config& config = finding.scenario.config;
  config = {.page_size = 64,
            .context = 2048,
            .requests = 2,
            .pages = 512,
            .swa = true,
            .swa_pages = 96,
            .window = 128,
            .draft_tokens = 8,
            .draft_steps = 5,
            .block_window = 256,
            .pool_seed = 0xdeadbeef,
            .buckets = {1, 2, 4, 8},
            .cache = true,
            .branch = 192,
            .retract = true,
            .timing = {true, ReadEnd::in_replay, false, Tables::ring, 3, true, Barrier::coarse, true, Algorithm::dflash,
                       true, 2}};
  config.layout = {IntType::int32,  IntType::int32, IntType::int32, IntType::int32, 2, 3, 4, 5, 2, 6, 3, 7, -8,
                   Far::page_table, false};
  finding.scenario.steps = {
      {.kind = StepKind::admit, .amount = 2044},
      {.kind = StepKind::arrive, .amount = 300, .family = 8},
      {.kind = StepKind::verify, .rows = 4, .amount = 2, .eager = true, .odd = Odd::negative_length, .odd_row = 1},
      {.kind = StepKind::draft_extend, .who = 1, .rows = 0},
      {.kind = StepKind::idle, .amount = 3}};
  return finding;
}

std::string message_of(std::string_view text) {
  try {
    parse(text, "f");
  } catch (const TextError& error) {
    return error.what();
  }
  return "accepted";
}

std::string header(std::string_view lines) { return "pagestorm scenario 1\n" + std::string(lines) + "\nsteps:\n"; }

std::string steps(std::string_view lines) { return "pagestorm scenario 1\nsteps:\n" + std::string(lines) + "\n"; }

TEST(Text, PrintsTheGoldenText) { EXPECT_EQ(print(golden_finding()), golden); }

TEST(Text, ReadsTheGoldenText) { EXPECT_EQ(parse(golden, "golden"), golden_finding()); }

TEST(Text, PrintsOnlyWhatDiffersFromDefaults) {
  EXPECT_EQ(print(Finding{}), "pagestorm scenario 1\npage_size: 1\ncontext: 64\nsteps:\n");
  EXPECT_EQ(parse(print(Finding{}), "f"), Finding{});
  EXPECT_EQ(parse("pagestorm scenario 1\nsteps:", "f"), Finding{});
}

TEST(Text, PrintsAStepWithoutIndent) {
  EXPECT_EQ(print(Step{}), "admit");
  EXPECT_EQ(print(Step{StepKind::draft_extend, 1, 2, 3, 5, true, Odd::huge_length, 4}),
            "draft-extend who=1 rows=2 amount=3 family=5 odd=huge-length odd_row=4 eager");
}

TEST(Text, AllowsCommentsBlankLinesAndAnyOrder) {
  const std::string text =
      "\xef\xbb\xbf# saved by hand\r\n\r\n  pagestorm \t scenario 1 # schema\r\n"
      "context :128# tokens\n\tpage_size:16\r\nbuckets:\t1   3 # two\n"
      "law: a#b # the law\nnote: # 1: a note # keeps all \t\r\n"
      "steps: # now\n\n# between\ndecode eager odd_row=2 rows=0 # all\n\tfinish who=1#end";
  Finding expected{"a#b", "", "", "# 1: a note # keeps all", {}};
  expected.scenario.config.context = 128;
  expected.scenario.config.page_size = 16;
  expected.scenario.config.buckets = {1, 3};
  expected.scenario.steps = {{.kind = StepKind::decode, .rows = 0, .eager = true, .odd_row = 2},
                             {.kind = StepKind::finish, .who = 1}};
  EXPECT_EQ(parse(text, "f"), expected);
}

TEST(Text, SeedsAreHexadecimalOrDecimal) {
  EXPECT_EQ(parse(header("pool_seed: 0xff"), "f").scenario.config.pool_seed, 255u);
  EXPECT_EQ(parse(header("pool_seed: 18446744073709551615"), "f").scenario.config.pool_seed, ~std::uint64_t{0});
}

TEST(Text, PrintsOneLineOfUtf8WhateverANoteHolds) {
  Finding finding;
  finding.note =
      " a\nb\r\nc\x01"
      "d\xff"
      "e\xed\xa0\x80 \n";
  finding.law = "law # not";
  const Finding read = parse(print(finding), "f");
  EXPECT_EQ(read.note, "a b  c d?e???");
  EXPECT_EQ(read.law, "law");
}

TEST(Text, DrawnFindingsComeBackUnchanged) {
  Rng rng(1);
  for (int i = 0; i < 2000; ++i) {
    const Finding finding = draw_finding(rng);
    ASSERT_EQ(complaint(finding.scenario.config), "");
    const std::string text = print(finding);
    ASSERT_EQ(message_of(text), "accepted") << text;
    ASSERT_EQ(parse(text, "f"), finding) << text;
  }
}

TEST(Text, TakesEveryStepUpToTheLimit) {
  std::string text = steps("");
  for (int i = 0; i < 100'000; ++i) text += "decode\n";
  EXPECT_EQ(parse(text, "f").scenario.steps.size(), 100'000u);
  EXPECT_EQ(message_of(text + "decode"), "f:100004: steps: more than 100000; split the scenario");
}

TEST(Text, RefusesTextsBeyond64Mebibytes) {
  EXPECT_EQ(message_of(std::string((64u << 20) + 1, ' ')),
            "f:1: text: 67108865 bytes are too many for a scenario; use at most 67108864");
}

struct Malformed {
  std::string text;
  std::string message;
};

const std::string every_field =
    "law, builder, fault, note, page_size, context, requests, pages, swa, swa_pages, window, draft_tokens, "
    "draft_steps, "
    "block_window, pool_seed, buckets, cache, branch, retract, family, top_k, chunk, mask, timing, layout";

const Malformed malformed_texts[] = {
    {"", "f:1: schema: missing; start the file with the line \"pagestorm scenario 1\""},
    {"\n# nothing\n\n", "f:3: schema: missing; start the file with the line \"pagestorm scenario 1\""},
    {"page_size: 1\n", "f:1: schema: missing; start the file with the line \"pagestorm scenario 1\""},
    {"pagestorm trace 1\n", "f:1: schema: missing; start the file with the line \"pagestorm scenario 1\""},
    {"pagestorm scenario 2\nsteps:\n", "f:1: schema: 2 is not a schema of scenarios; use 1"},
    {"pagestorm scenario\nsteps:\n", "f:1: schema: \"\" is not a schema of scenarios; use 1"},
    {"pagestorm scenario 1 2\nsteps:\n", "f:1: schema: 1 2 is not a schema of scenarios; use 1"},
    {"pagestorm scenario 1\n", "f:1: steps: missing; end the header with a line \"steps:\""},
    {"pagestorm scenario 1\npage_size: 2", "f:2: steps: missing; end the header with a line \"steps:\""},
    {"pagestorm scenario 1\nadmit amount=3",
     "f:2: steps: missing before the first step; put a line \"steps:\" above it"},
    {"pagestorm scenario 1\nsteps: admit", "f:2: steps: admit follows on the same line; start a new line"},
    {std::string("pagestorm scenario 1\nlaw: \0\n", 28),
     "f:2: text: byte 0x00 is a control character; save the file as plain text"},
    {"pagestorm\x1b[2J", "f:1: text: byte 0x1b is a control character; save the file as plain text"},
    {header("note: a\rb"), "f:2: text: byte 0x0d is a control character; save the file as plain text"},
    {header("note: \xff"), "f:2: text: byte 0xff is not UTF-8; save the file as UTF-8 text"},
    {header("\nnote: \xc0\xaf"), "f:3: text: byte 0xc0 is not UTF-8; save the file as UTF-8 text"},
    {header("note: \xed\xa0\x80"), "f:2: text: byte 0xed is not UTF-8; save the file as UTF-8 text"},
    {header("note: \xf4\x90\x80\x80"), "f:2: text: byte 0xf4 is not UTF-8; save the file as UTF-8 text"},
    {"pagestorm scenario 1\nsteps:\n# \xe2\x82", "f:3: text: byte 0xe2 is not UTF-8; save the file as UTF-8 text"},
    {header("page_size 64"), "f:2: page_size: no colon after the field name; write it as \"name: value\""},
    {header("pagesize: 64"), "f:2: pagesize: unknown field; did you mean page_size?"},
    {header("Context: 64"), "f:2: Context: unknown field; did you mean context?"},
    {header("size: 64"), "f:2: size: unknown field; use one of " + every_field},
    {header(": 64"), "f:2: \"\": unknown field; use one of " + every_field},
    {header(std::string(60, 'x') + ": 1"),
     "f:2: " + std::string(48, 'x') + "…: unknown field; use one of " + every_field},
    {header("page_size: 1\ncontext: 2\npage_size: 1"), "f:4: page_size: given twice; remove this line or line 2"},
    {header("law: a\nlaw: b"), "f:3: law: given twice; remove this line or line 2"},
    {header("page_size: 0"), "f:2: page_size: 0 is not a page size; use 1 to 4096"},
    {header("page_size: 4097"), "f:2: page_size: 4097 is not a page size; use 1 to 4096"},
    {header("page_size: 64k"), "f:2: page_size: 64k is not a page size; use 1 to 4096"},
    {header("page_size: +64"), "f:2: page_size: +64 is not a page size; use 1 to 4096"},
    {header("page_size: 64 65"), "f:2: page_size: 64 65 is not a page size; use 1 to 4096"},
    {header("page_size: 64\t65"), "f:2: page_size: 64 65 is not a page size; use 1 to 4096"},
    {header("page_size: 18446744073709551617"),
     "f:2: page_size: 18446744073709551617 is not a page size; use 1 to 4096"},
    {header("page_size:"), "f:2: page_size: no value; give a page size or leave the line out"},
    {header("fault: # none"), "f:2: fault: no value; give a name or leave the line out"},
    {header("note: \t"), "f:2: note: no value; give a line of text or leave the line out"},
    {header("context: -1"), "f:2: context: -1 is not a context length; use 0 to 1048576"},
    {header("requests: 1025"), "f:2: requests: 1025 is not a number of requests; use 1 to 1024"},
    {header("pages: 16777217"), "f:2: pages: 16777217 is not a number of pages; use 1 to 16777216"},
    {header("swa_pages: 0"), "f:2: swa_pages: 0 is not a number of pages; use 1 to 16777216"},
    {header("window: 0"), "f:2: window: 0 is not a window; use 1 to 1048576"},
    {header("draft_tokens: 65"), "f:2: draft_tokens: 65 is not a number of draft tokens; use 1 to 64"},
    {header("draft_steps: 0"), "f:2: draft_steps: 0 is not a number of draft steps; use 1 to 64"},
    {header("swa: yes"), "f:2: swa: yes is not a switch; use one of off, on"},
    {header("pool_seed: 0x"), "f:2: pool_seed: 0x is not a seed; use 0 to 0xffffffffffffffff"},
    {header("pool_seed: -1"), "f:2: pool_seed: -1 is not a seed; use 0 to 0xffffffffffffffff"},
    {header("pool_seed: 0x10000000000000000"),
     "f:2: pool_seed: 0x10000000000000000 is not a seed; use 0 to 0xffffffffffffffff"},
    {header("buckets: 1 2,4"), "f:2: buckets: 2,4 is not a batch size; use 1 to 1024"},
    {header("buckets: 0 1"), "f:2: buckets: 0 is not a batch size; use 1 to 1024"},
    {header("buckets: 1 4 4"),
     "f:2: buckets: 4 after 4 is not ascending; list each batch size once, the smallest first"},
    {header("layout: index"), "f:2: index: no value; write index=VALUE"},
    {header("layout: index=int16"), "f:2: index: int16 is not an integer type; use one of int32, int64"},
    {header("layout: indx=int32"), "f:2: indx: unknown layout field; did you mean index?"},
    {header("layout: map=int32 map=int64"), "f:2: map: given twice; keep one"},
    {header("layout: input_stride=0"), "f:2: input_stride: 0 is not a stride; use 1 to 4"},
    {header("layout: table_padding=4097"), "f:2: table_padding: 4097 is not a padding; use 0 to 4096"},
    {header("layout: write_room=-9"), "f:2: write_room: -9 is not a write room; use -8 to 4096"},
    {header("layout: far=pagetable"), "f:2: far: pagetable is not a matrix; did you mean page_table?"},
    {header("layout: sweep=all"), "f:2: sweep: all is not a sweep; use one of near, whole"},
    {header("timing: lapse"),
     "f:2: lapse: unknown timing field; use one of overlap, read_end, graph_events, tables, slots, plan_stream, "
     "barrier, staging, algorithm, bound, lag"},
    {header("timing: overlap=on"), "f:2: overlap: takes no value; write overlap alone"},
    {header("timing: overlap tables=rings"), "f:2: tables: rings is not a place of tables; did you mean ring?"},
    {header("timing: overlap read_end=replay"),
     "f:2: read_end: replay is not a point of a forward pass; use one of pre-replay, in-replay, post-replay, unknown"},
    {header("timing: overlap staging=old"), "f:2: staging: old is not a policy; use one of fresh, reused"},
    {header("timing: overlap lag=0"), "f:2: lag: 0 is not a lag; use 1 to 4"},
    {header("timing: overlap slots=9"), "f:2: slots: 9 is not a number of buffers; use 1 to 8"},
    {header("page_size: 2\ntiming: overlap tables=in-graph"),
     "f:3: timing: a graph that builds its tables reads when it is replayed; use read_end=in-replay or a later point"},
    {header("page_size: 4096\npages: 65537"),
     "f:3: pages: 65537 pages of 4096 tokens are more than 268435456 tokens; use at most 65536 pages of this size"},
    {header("swa_pages: 16777216\npage_size: 17"),
     "f:2: swa_pages: 16777216 pages of 17 tokens are more than 268435456 tokens; use at most 15790320 pages of this "
     "size"},
    {header("requests: 1024\ncontext: 1048576"),
     "f:2: requests: 1025 rows of 1048591 elements make req_to_token larger than 268435456 elements; use at most 254 "
     "requests, or a smaller context or slots_stride"},
    {steps("admit\nsteps:"), "f:4: steps: given twice; remove this line or line 2"},
    {steps("page_size: 4"), "f:3: page_size: a header field among the steps; move it above the line \"steps:\""},
    {steps("verfy rows=2"), "f:3: verfy: unknown step kind; did you mean verify?"},
    {steps("jump"),
     "f:3: jump: unknown step kind; use one of admit, extend, decode, draft, verify, draft-extend, idle, evict, "
     "finish, "
     "puncture, arrive, share, reclaim, tombstone, retract, readmit, block, ragged"},
    {steps("decode row=2"), "f:3: row: unknown step field; did you mean rows?"},
    {steps("decode 2"), "f:3: 2: unknown step field; use one of who, rows, amount, family, odd, odd_row, eager"},
    {steps("decode rows"), "f:3: rows: no value; write rows=VALUE"},
    {steps("decode rows="), "f:3: rows: \"\" is not a number of rows; use 0 to 2147483648"},
    {steps("decode rows=-1"), "f:3: rows: -1 is not a number of rows; use 0 to 2147483648"},
    {steps("decode rows=2147483649"), "f:3: rows: 2147483649 is not a number of rows; use 0 to 2147483648"},
    {steps("decode who=1e3"), "f:3: who: 1e3 is not a request; use 0 to 2147483648"},
    {steps("admit amount=0x10"), "f:3: amount: 0x10 is not an amount; use 0 to 2147483648"},
    {steps("decode odd_row=2=3"), "f:3: odd_row: 2=3 is not a row; use 0 to 2147483648"},
    {steps("decode rows=1 rows=1"), "f:3: rows: given twice; keep one"},
    {steps("decode eager eager"), "f:3: eager: given twice; keep one"},
    {steps("decode eager=1"), "f:3: eager: takes no value; write eager alone"},
    {steps("decode odd=duplicated"), "f:3: odd: duplicated is not an oddity; did you mean duplicate?"},
    {steps("decode odd=5"),
     "f:3: odd: 5 is not an oddity; use one of none, duplicate, row-zero, outside-pool, before-pool, negative-length, "
     "zero-length, huge-length, negative-slot"},
};

TEST(Text, SaysWhatIsWrongWhereAndWhatToTypeInstead) {
  static_assert(std::size(malformed_texts) >= 40);
  for (const Malformed& malformed : malformed_texts) EXPECT_EQ(message_of(malformed.text), malformed.message);
}

TEST(Complaint, HasNoneOfTheDefaults) { EXPECT_EQ(complaint(Config{}), ""); }

TEST(Complaint, NamesTheFirstBrokenRange) {
  const auto broken = [](auto&& change) {
    Config config;
    change(config);
    return complaint(config);
  };
  EXPECT_EQ(broken([](Config& c) { c.page_size = 0; }), "page_size: 0 is not a page size; use 1 to 4096");
  EXPECT_EQ(broken([](Config& c) { c.context = -1; }), "context: -1 is not a context length; use 0 to 1048576");
  EXPECT_EQ(broken([](Config& c) { c.buckets = {1, 1025}; }), "buckets: 1025 is not a batch size; use 1 to 1024");
  EXPECT_EQ(broken([](Config& c) {
              c.buckets = {2, 1};
            }),
            "buckets: 1 after 2 is not ascending; list each batch size once, the smallest first");
  EXPECT_EQ(broken([](Config& c) { c.layout.slots_stride = 5; }), "slots_stride: 5 is not a stride; use 1 to 4");
  EXPECT_EQ(broken([](Config& c) { c.pages = (1 << 24), c.page_size = 16; }), "");
}

template <class E>
void expect_names(int count) {
  for (int i = 0; i < count; ++i) {
    E back{};
    ASSERT_TRUE(by_name(name_of(static_cast<E>(i)), back));
    EXPECT_EQ(static_cast<int>(back), i);
  }
  E untouched = static_cast<E>(1);
  EXPECT_FALSE(by_name("?", untouched));
  EXPECT_EQ(static_cast<int>(untouched), 1);
  EXPECT_EQ(name_of(static_cast<E>(count)), "?");
}

TEST(Names, LeadBackToTheirValues) {
  expect_names<StepKind>(step_kind_count);
  expect_names<Odd>(odd_count);
  expect_names<Mode>(mode_count);
  expect_names<Far>(4);
  expect_names<IntType>(2);
}

TEST(Names, OnlySomeStepsHaveABatch) {
  std::string with;
  for (int i = 0; i < step_kind_count; ++i) {
    const auto kind = static_cast<StepKind>(i);
    if (has_batch(kind)) with += std::string(name_of(kind)) + " ";
  }
  EXPECT_EQ(with, "extend decode draft verify draft-extend idle block ragged ");
}

}  // namespace
}  // namespace pagestorm::sim
