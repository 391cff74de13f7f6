#include "sim/engine/content.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/rng.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::uint64_t a = base_of(1, 0);
constexpr std::uint64_t b = base_of(2, 0);

struct Part {
  std::int64_t count;
  std::uint64_t base;
};

Content content_of(std::initializer_list<Part> parts) {
  Content content;
  for (const Part& part : parts) content.append(part.count, part.base);
  return content;
}

TEST(Content, GivesATokenTheBaseOfItsRunPlusItsPosition) {
  const Content content = content_of({{3, a}, {2, b}});
  EXPECT_EQ(content.size(), 5);
  EXPECT_EQ(content.at(0), a);
  EXPECT_EQ(content.at(2), a + 2);
  EXPECT_EQ(content.at(3), b + 3);
  EXPECT_EQ(content.base_at(4), b);
  EXPECT_EQ(content.at(5), 0u);
  EXPECT_EQ(content.at(-1), 0u);
}

TEST(Content, NamesTheStretchThatAPositionIsIn) {
  const Content content = content_of({{3, a}, {2, b}});
  EXPECT_EQ(content.stretch_at(2).base, a);
  EXPECT_EQ(content.stretch_at(2).end, 3);
  EXPECT_EQ(content.stretch_at(3).end, 5);
  EXPECT_EQ(content.stretch_at(5).base, unknown_base);
  EXPECT_EQ(content.stretch_at(5).end, position_end);
}

TEST(Content, ComparesWithASliceAsWithACopyOfIt) {
  Rng rng(4);
  const auto drawn = [&] {
    Content content;
    for (int i = 0; i < 4; ++i) content.append(rng.between(0, 2), rng.one_in(2) ? a : b);
    return content;
  };
  int alike = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Content whole = drawn();
    if (whole.size() == 0) continue;
    const std::int64_t from = rng.between(0, whole.size() - 1);
    const std::int64_t to = rng.between(from + 1, whole.size());
    const Content slice = whole.slice(from, to);
    const Content other = drawn();
    const Content part = other.size() < to ? other : other.slice(from, to);
    const auto order = part.compare(whole, from, to);
    ASSERT_EQ(order < 0, part < slice);
    ASSERT_EQ(order == 0, part == slice);
    alike += order == 0;
  }
  EXPECT_GT(alike, 1'000);
}

TEST(Content, KeepsStreamsAndVersionsApart) {
  EXPECT_EQ(base_of(0, 0), unknown_base);
  EXPECT_EQ(base_of(1, 0), std::uint64_t{1} << 40);
  EXPECT_EQ(base_of(0, 1), std::uint64_t{1} << 24);
  constexpr auto last = static_cast<std::uint64_t>(position_end - 1);
  EXPECT_LT(base_of(1, 0) + last, base_of(1, 1));
  EXPECT_LT(base_of(1, 65535) + last, base_of(2, 0));
}

TEST(Content, MergesNeighboursOfOneBase) {
  const Content content = content_of({{3, a}, {2, a}, {0, b}, {1, a}, {1, b}});
  ASSERT_EQ(content.runs().size(), 2u);
  EXPECT_EQ(content.runs()[0], (TokenRun{0, a}));
  EXPECT_EQ(content.runs()[1], (TokenRun{6, b}));
}

TEST(Content, MergesAgainAfterATruncation) {
  Content content = content_of({{3, a}, {2, b}});
  content.truncate(3);
  content.append(4, a);
  EXPECT_EQ(content, content_of({{7, a}}));
  content.truncate(9);
  EXPECT_EQ(content.size(), 7);
  content.clear();
  EXPECT_EQ(content, Content());
}

TEST(Content, SharesAPrefixWithContentThatDivergesLater) {
  const Content one = content_of({{4, a}, {4, b}});
  EXPECT_EQ(one.common_prefix(content_of({{6, a}})), 4);
  EXPECT_EQ(one.common_prefix(content_of({{4, a}, {3, b}})), 7);
  EXPECT_EQ(one.common_prefix(content_of({{3, b}})), 0);
  EXPECT_EQ(one.common_prefix(Content()), 0);
}

TEST(Content, ThatIsUnknownMatchesNothing) {
  const Content one = content_of({{2, a}, {2, unknown_base}, {2, b}});
  EXPECT_EQ(one.common_prefix(one), 2);
  EXPECT_EQ(one.common(one, 2, 4), 0);
  EXPECT_EQ(one.common(one, 4, 6), 2);
  EXPECT_EQ(one.known(), 2);
  EXPECT_EQ(one.at(2), 0u);
  EXPECT_EQ(content_of({{5, a}}).known(), 5);
}

TEST(Content, SliceKeepsPositions) {
  const Content whole = content_of({{3, a}, {3, b}, {3, a}});
  const Content part = whole.slice(2, 7);
  EXPECT_EQ(part.first(), 2);
  EXPECT_EQ(part.end(), 7);
  EXPECT_EQ(part.at(1), 0u);
  EXPECT_EQ(part.at(2), a + 2);
  EXPECT_EQ(part.at(6), a + 6);
  EXPECT_EQ(part.common(whole, 2, 100), 5);
  EXPECT_EQ(part.common(whole, 1, 100), 0);
  EXPECT_NE(part, content_of({{1, a}, {3, b}, {1, a}}));
  EXPECT_EQ(whole.slice(4, 4).size(), 0);
}

// Every query against the ids themselves, token by token.
TEST(Content, AgreesWithItsTokens) {
  Rng rng(1);
  const auto draw = [&rng] {
    Content content;
    for (std::int64_t i = rng.between(0, 5); i > 0; --i) content.append(rng.between(0, 4), base_of(rng.below(3), 0));
    return content;
  };
  for (int i = 0; i < 20'000; ++i) {
    const Content one = draw(), other = draw();
    const std::int64_t from = rng.between(0, 12), to = rng.between(0, 24);
    std::int64_t same = 0;
    while (from + same < to && one.at(from + same) != 0 && one.at(from + same) == other.at(from + same)) ++same;
    ASSERT_EQ(one.common(other, from, to), same);
    ASSERT_EQ(other.common(one, from, to), same);
    const std::int64_t first = std::min(from, one.size()), last = std::clamp(to, first, one.size());
    Content rebuilt = one.slice(0, first);
    for (std::int64_t p = first; p < last; ++p) rebuilt.append(1, one.slice(first, last).base_at(p));
    Content kept = one;
    kept.truncate(last);
    ASSERT_EQ(rebuilt, kept);
  }
}

}  // namespace
}  // namespace pagestorm::sim
