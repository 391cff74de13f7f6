// One call at a time, through the process and back.

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "library.hpp"
#include "pagestorm/outside_builder.hpp"

namespace pagestorm::outside {
namespace {

/// A decode of two requests of lengths 3 and 1 with pages of two tokens: pages 4 and 7, and page 2.
struct Decode {
  std::vector<std::int32_t> inputs = {0, 0, 0, 0, 8, 9, 14, 0, 4, 0, 0, 0,  // req_to_token, [3, 4]
                                      1, 2,                                 // req_pool_indices
                                      3, 1};                                // seq_lens
  std::vector<std::int32_t> image = std::vector<std::int32_t>(32, -7);
  std::array<Window, 1> changed{Window{0, 64}};
  std::array<Window, 1> zone{Window{0, 128}};
  std::uint64_t generation = 1;

  /// The same with a row more, about which nothing is said.
  Call call_of_three() {
    Call call = this->call();
    call.batch.rows = call.batch.req_pool_indices.size = call.batch.seq_lens.size = 3;
    call.out.cache_seqlens.size = call.out.page_table.rows = 3;
    call.out.cu_seqlens_q.size = call.out.cu_seqlens_k.size = 4;
    return call;
  }

  Call call() {
    image[0] = 0;
    auto* in = inputs.data();
    auto* out = image.data();
    return {.batch = {.mode = Mode::decode,
                      .page_size = 2,
                      .rows = 2,
                      .req_to_token = {in, 3, 4, 4, 1},
                      .req_pool_indices = {in + 12, 2, 1, IntType::int32},
                      .seq_lens = {in + 14, 2, 1, IntType::int32}},
            .out = {.cache_seqlens = {out + 2, 2, 1},
                    .cu_seqlens_q = {out + 6, 3, 1},
                    .cu_seqlens_k = {out + 10, 3, 1},
                    .page_table = {out + 16, 2, 3, 4, 1},
                    .status = reinterpret_cast<std::uint32_t*>(out)},
            .inputs = {reinterpret_cast<std::byte*>(in), 0, 64},
            .image = {reinterpret_cast<std::byte*>(out), 0, 128},
            .inputs_generation = generation,
            .changed = changed,
            .zone = zone};
  }
};

std::unique_ptr<Builder> start(const std::string& spec, const OutsideLimits& limits = {}) {
  return outside_builder(spec, limits).make(Fault::none);
}

std::string garbling(const std::string& way) { return "python3 '" + script("garbles.py") + "' " + way; }

/// How a call fails, as what() says; empty when it does not.
std::string failure(Builder& builder, BuilderFailed::How how) {
  Decode decode;
  try {
    builder.run(decode.call());
  } catch (const BuilderFailed& error) {
    EXPECT_EQ(error.how(), how) << error.what();
    return error.what();
  }
  return "";
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << text << "' lacks '" << part << "'";
}

TEST(OutsideBuilder, FillsTheImageOfTheCaller) {
  const auto builder = start(library("whole"));
  EXPECT_EQ(builder->name(), "whole");
  Decode decode;
  builder->run(decode.call());
  const std::vector<std::int32_t> image = {0, -7, 3,  1,  -7, -7, 0,  1,  2,  -7, 0,  3,  4,  -7, -7, -7,
                                           4, 7,  -7, -7, 2,  -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7};
  EXPECT_EQ(decode.image, image);
}

TEST(OutsideBuilder, SeesOnlyWhatWasSaidToHaveChanged) {
  const auto builder = start(library("whole"));
  Decode decode;
  builder->run(decode.call());
  decode.inputs[4] = 20;
  decode.inputs[8] = 30;
  decode.changed = {Window{8 * 4, 4}};
  builder->run(decode.call());
  EXPECT_EQ(decode.image[16], 4) << "the first row's change was not told";
  EXPECT_EQ(decode.image[20], 15);
}

TEST(OutsideBuilder, CrashesAreToldAndTheNextCallWorks) {
  const auto builder = start(library("crash"));
  Decode decode;
  decode.inputs[14] = 6;
  try {
    builder->run(decode.call());
    FAIL() << "three full pages crash it";
  } catch (const BuilderFailed& error) {
    EXPECT_EQ(error.how(), BuilderFailed::How::crashed);
    expect_part(error.what(), "in call 1 of its process, was ended by signal 11 (segmentation fault)");
  }
  decode.inputs[14] = 3;
  builder->run(decode.call());
  EXPECT_EQ(decode.image[2], 3);
}

TEST(OutsideBuilder, ARefusalDoesNotEndTheProcess) {
  const auto builder = start(library("refuses"));
  Decode decode;
  Call call = decode.call();
  call.batch.page_size = 3;
  for (const char* which : {"in call 1 of its process, returned 22", "in call 2 of its process, returned 22"}) {
    try {
      builder->run(call);
      FAIL() << "a page of three tokens is refused";
    } catch (const BuilderFailed& error) {
      EXPECT_EQ(error.how(), BuilderFailed::How::refused);
      expect_part(error.what(), which);
    }
  }
  builder->run(decode.call());
  EXPECT_EQ(decode.image[16], 4);
}

TEST(OutsideBuilder, BusyAndIdleHangsAreToldApart) {
  Decode decode;
  for (const auto& [name, why] : {std::pair{"hang", "s of processor time"}, {"sleeps", "s, by the clock"}}) {
    const auto builder = start(library(name), {.work_s = 0.1, .wall_s = 2});
    decode.inputs = std::vector<std::int32_t>(16, 0);
    try {
      builder->run(decode.call_of_three());
      FAIL() << name << " comes back";
    } catch (const BuilderFailed& error) {
      EXPECT_EQ(error.how(), BuilderFailed::How::hung);
      if (std::string_view(name) == "sleeps") expect_part(error.what(), why);
    }
  }
}

TEST(OutsideBuilder, AnswersThatAreNoneAreCrashes) {
  for (const auto& [way, why] : {std::pair{"kind", "answered with a packet of kind 99 and 1024 bytes"},
                                 {"short", "and 3 bytes, where an answer has kind 6 and 1024 bytes"},
                                 {"serial", "answered call 2 instead"},
                                 {"closes", "closed its socket"},
                                 {"chatters", "exited with code 1; it printed: "}})
    expect_part(failure(*start(garbling(way)), BuilderFailed::How::crashed), why);
}

TEST(OutsideBuilder, MemoryOfItsOwnIsLimited) {
  const auto builder = start(library("blow_up"), {.memory_bytes = std::int64_t{1} << 30});
  expect_part(failure(*builder, BuilderFailed::How::crashed), "(aborted); it printed: out of memory");
}

TEST(OutsideBuilder, SilenceIsNoHello) {
  try {
    start("sleep 60", {.hello_s = 0.1});
    FAIL() << "sleep says hello";
  } catch (const BuilderError& error) {
    expect_part(error.what(), "gave no hello (pagestorm_wire_hello) within ");
  }
}

}  // namespace
}  // namespace pagestorm::outside
