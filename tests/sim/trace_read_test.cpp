#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "sim/rng.hpp"
#include "sim/trace.hpp"
#include "tests/source_root.hpp"

namespace pagestorm::sim {
namespace {

using namespace std::string_view_literals;
using Ids = std::vector<std::int64_t>;

constexpr TraceFormat formats[] = {TraceFormat::mooncake, TraceFormat::azure, TraceFormat::lengths};

constexpr std::string_view mooncake_text =
    "{\"timestamp\": 1500, \"input_length\": 1025, \"output_length\": 7, \"hash_ids\": [4, 5, 9]}\n"
    "{\"timestamp\": 1512, \"input_length\": 512, \"output_length\": 0, \"hash_ids\": [4]}\n"
    "{\"timestamp\": 1500.5, \"input_length\": 600, \"output_length\": 2, \"hash_ids\": []}\n"
    "{\"timestamp\": 1600, \"input_length\": 0, \"output_length\": 2147483647}\n";

constexpr std::string_view azure_text =
    "TIMESTAMP,ContextTokens,GeneratedTokens\r\n"
    "2024-02-29 23:59:59.5000000,4808,10\r\n"
    "2024-02-29 23:59:58.2500000,3180,8\r\n"
    "2024-03-01 00:00:00,110,27";

constexpr std::string_view lengths_text =
    "pd_ratio,num_decode_tokens,num_prefill_tokens\n"
    "69.85,54,3772\n"
    "12.91,156,2015\n";

std::vector<TraceRequest> read(std::string_view text, TraceFormat format, std::int64_t limit = 0) {
  return read_trace(text, "t", format, limit);
}

template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const TraceError& error) {
    return error.what();
  }
  return "no error";
}

void expect_request(const TraceRequest& request, double arrival_s, std::int64_t input, std::int64_t output,
                    const Ids& blocks = {}) {
  EXPECT_DOUBLE_EQ(request.arrival_s, arrival_s);
  EXPECT_EQ(request.input_tokens, input);
  EXPECT_EQ(request.output_tokens, output);
  EXPECT_EQ(request.prefix_blocks, blocks);
}

TEST(TraceRead, Mooncake) {
  const auto requests = read(mooncake_text, TraceFormat::mooncake);
  ASSERT_EQ(requests.size(), 4u);
  expect_request(requests[0], 0, 1025, 7, {4, 5, 9});
  expect_request(requests[1], 0.012, 512, 0, {4});
  expect_request(requests[2], 0.0005, 600, 2);
  expect_request(requests[3], 0.1, 0, 2147483647);
}

TEST(TraceRead, AzureCountsFromTheEarliestRow) {
  const auto requests = read(azure_text, TraceFormat::azure);
  ASSERT_EQ(requests.size(), 3u);
  expect_request(requests[0], 1.25, 4808, 10);
  expect_request(requests[1], 0, 3180, 8);
  expect_request(requests[2], 1.75, 110, 27);
}

TEST(TraceRead, AzureKnowsTheCalendar) {
  const std::string head = "TIMESTAMP,ContextTokens,GeneratedTokens\n1970-01-01 00:00:00,1,1\n";
  const auto arrival = [&](const char* time) {
    return read(head + time + ",1,1\n", TraceFormat::azure).at(1).arrival_s;
  };
  EXPECT_DOUBLE_EQ(arrival("1970-01-01 00:00:00.000000001"), 1e-9);
  EXPECT_DOUBLE_EQ(arrival("2000-02-29 00:00:00"), 951782400);
  EXPECT_DOUBLE_EQ(arrival("2023-11-16 18:17:03.9799600"), 1700158623.97996);
  EXPECT_DOUBLE_EQ(arrival("2024-05-10 00:00:00.009930+00:00"), 1715299200.00993);
  EXPECT_DOUBLE_EQ(arrival("2200-12-31 23:59:59"), 7289654399);
}

TEST(TraceRead, Lengths) {
  const auto requests = read(lengths_text, TraceFormat::lengths);
  ASSERT_EQ(requests.size(), 2u);
  expect_request(requests[0], 0, 3772, 54);
  expect_request(requests[1], 0, 2015, 156);
  const auto bare = read("12,3\n+4,5", TraceFormat::lengths);
  ASSERT_EQ(bare.size(), 2u);
  expect_request(bare[0], 0, 12, 3);
  expect_request(bare[1], 0, 4, 5);
}

TEST(TraceRead, ToleratesHowFilesAreWritten) {
  const auto quoted = read(
      "\xef\xbb\xbf\"TIMESTAMP\" , \"ContextTokens\",\"GeneratedTokens\"\r\n\r\n"
      "\"2023-11-16 18:17:03.97\", \"1\" , 2\r\n \t\r\n\r\n",
      TraceFormat::azure);
  ASSERT_EQ(quoted.size(), 1u);
  expect_request(quoted[0], 0, 1, 2);
  const auto note =
      read("note,num_prefill_tokens,num_decode_tokens\n\"a \"\"b\"\", c\",1,2\n,3,4\n", TraceFormat::lengths);
  ASSERT_EQ(note.size(), 2u);
  expect_request(note[1], 0, 3, 4);
  const auto json =
      read("\xef\xbb\xbf\r\n  {\"timestamp\":5,\"input_length\":1,\"output_length\":2}\r\n\n\n", TraceFormat::mooncake);
  ASSERT_EQ(json.size(), 1u);
  expect_request(json[0], 0, 1, 2);
}

TEST(TraceRead, LimitStopsReading) {
  EXPECT_EQ(read(mooncake_text, TraceFormat::mooncake, 2).size(), 2u);
  EXPECT_EQ(read(mooncake_text, TraceFormat::mooncake, 9).size(), 4u);
  EXPECT_EQ(read(lengths_text, TraceFormat::lengths, 1).size(), 1u);
  EXPECT_EQ(read("1,2\n3,x\n", TraceFormat::lengths, 1).size(), 1u);
  expect_request(read(azure_text, TraceFormat::azure, 1).at(0), 0, 4808, 10);
}

TEST(TraceRead, GuessesFormats) {
  EXPECT_EQ(guess_format(mooncake_text, "t"), TraceFormat::mooncake);
  EXPECT_EQ(guess_format(azure_text, "t"), TraceFormat::azure);
  EXPECT_EQ(guess_format(lengths_text, "t"), TraceFormat::lengths);
  EXPECT_EQ(guess_format("\xef\xbb\xbf\n\n 5 , 6 \r\n", "t"), TraceFormat::lengths);
  EXPECT_EQ(error_of([] { guess_format("\n a,b \n1,2\n", "t"); }),
            "t:2: format: \"a,b\" starts no known format; "
            "give JSON lines (mooncake) or a CSV with the header of azure or lengths");
  EXPECT_EQ(error_of([] { guess_format(" \n", "t"); }),
            "t:1: requests: there are none; give a trace with at least one request");
}

TEST(TraceRead, NamesFormats) {
  for (const TraceFormat format : formats) {
    TraceFormat found = format == TraceFormat::azure ? TraceFormat::lengths : TraceFormat::azure;
    EXPECT_TRUE(by_name(name_of(format), found));
    EXPECT_EQ(found, format);
  }
  TraceFormat untouched = TraceFormat::azure;
  EXPECT_FALSE(by_name("Mooncake", untouched));
  EXPECT_EQ(untouched, TraceFormat::azure);
}

// What stands between the bars.
std::vector<std::string> parts(std::string_view text) {
  std::vector<std::string> all;
  for (std::size_t bar = text.find('|'); bar != text.npos; bar = text.find('|')) {
    all.emplace_back(text.substr(0, bar));
    text.remove_prefix(bar + 1);
  }
  all.emplace_back(text);
  return all;
}

struct Bad {
  TraceFormat format;
  std::string text;
  std::string what;
};

// A line with its three parts replaced, after a right one.
std::string json(std::string_view timestamp, std::string_view input, std::string_view rest) {
  return "{\"timestamp\":0,\"input_length\":1,\"output_length\":1}\n{\"timestamp\":" + std::string(timestamp) +
         ",\"input_length\":" + std::string(input) + std::string(rest) + "}\n";
}

std::string csv(std::string_view row) { return "TIMESTAMP,ContextTokens,GeneratedTokens\n" + std::string(row); }

const std::string no_time = " is not a time; write it like 2023-11-16 18:17:03.9799600";
const std::string none = "requests: there are none; give a trace with at least one request";
const std::string to_tokens = "; write 0 to 2147483647 tokens";
const std::string to_json = "; write one JSON object per line";
const std::string to_ids = "; write an array of integers";
const std::string numbered = "; number the blocks from 0 to 4194303";
const std::string per_block = "; give one per 512 input tokens, rounded up, or none";
const std::string nul = "text: has a NUL byte; save the trace as plain UTF-8 text";

std::vector<Bad> bad_mooncake() {
  const TraceFormat m = TraceFormat::mooncake;
  const std::string good = ",\"output_length\":1";
  const std::string deep(100'000, '[');
  return {
      {m, "", "t:1: " + none},
      {m, "\n\n", "t:2: " + none},
      {m, "{\"timestamp\":0,", "t:1: json: does not parse at byte 16" + to_json},
      {m, "\n{'timestamp':0}", "t:2: json: does not parse at byte 2" + to_json},
      {m, "{\"a\":\"\xff\"}", "t:1: json: does not parse at byte 7" + to_json},
      {m, "[1]", "t:1: json: an array is not an object" + to_json},
      {m, "\"5\"", "t:1: json: \"5\" is not an object" + to_json},
      {m, json("1", "1", ""), "t:2: output_length: is missing; give it in every request"},
      {m, "{\"output_length\":1,\"input_length\":1}", "t:1: timestamp: is missing; give it in every request"},
      {m, "{\"timestamp\":1}", "t:1: input_length: is missing; give it in every request"},
      {m, json("1", "-5", good), "t:2: input_length: -5 is negative" + to_tokens},
      {m, json("1", "1.5", good), "t:2: input_length: 1.5 is not an integer" + to_tokens},
      {m, json("1", "\"7\"", good), "t:2: input_length: \"7\" is not an integer" + to_tokens},
      {m, json("1", "null", good), "t:2: input_length: null is not an integer" + to_tokens},
      {m, json("1", "2147483648", good), "t:2: input_length: 2147483648 is too large" + to_tokens},
      {m, json("1", "18446744073709551615", good), "t:2: input_length: 18446744073709551615 is too large" + to_tokens},
      {m, json("1", "99999999999999999999", good), "t:2: input_length: 1e+20 is too large" + to_tokens},
      {m, json("1", "1e999", good), "t:2: json: has a number out of range" + to_json},
      {m, json("-1", "1", good), "t:2: timestamp: -1 is not a time; write milliseconds, 0 to 9e12"},
      {m, json("9e13", "1", good), "t:2: timestamp: 90000000000000.0 is not a time; write milliseconds, 0 to 9e12"},
      {m, json("true", "1", good), "t:2: timestamp: true is not a time; write milliseconds, 0 to 9e12"},
      {m, json("1", "1", good + ",\"hash_ids\":7"), "t:2: hash_ids: 7 is not an array" + to_ids},
      {m, json("1", "1", good + ",\"hash_ids\":null"), "t:2: hash_ids: null is not an array" + to_ids},
      {m, json("1", "1", good + ",\"hash_ids\":[\"\\u00e9\"]"),
       "t:2: hash_ids: \"\\u00e9\" is not a 64-bit integer" + to_ids},
      {m, json("1", "1", good + ",\"hash_ids\":[9223372036854775808]"),
       "t:2: hash_ids: 9223372036854775808 is not a 64-bit integer" + to_ids},
      {m, json("1", "1", good + ",\"hash_ids\":[1,[2]]"), "t:2: hash_ids: an array is not a 64-bit integer" + to_ids},
      {m, json("1", "1", good + ",\"hash_ids\":[-1]"), "t:2: hash_ids: -1 is out of range" + numbered},
      {m, json("1", "1", good + ",\"hash_ids\":[4194304]"), "t:2: hash_ids: 4194304 is out of range" + numbered},
      {m, json("1", "513", good + ",\"hash_ids\":[1]"), "t:2: hash_ids: length is 1, not 2" + per_block},
      {m, json("1", "512", good + ",\"hash_ids\":[1,2]"), "t:2: hash_ids: length is 2, not 1" + per_block},
      {m, json("1", "0", good + ",\"hash_ids\":[1]"), "t:2: hash_ids: length is 1, not 0" + per_block},
      {m, json("1", deep + std::string(100'000, ']'), good),
       "t:2: input_length: an array is not an integer" + to_tokens},
      {m, json("1", deep, good), "t:2: json: does not parse at byte 100031" + to_json},
      {m, json("1", "1", good) + std::string(1, '\0'), "t:3: " + nul},
      {m, csv("x"), "t:1: format: this is a trace of azure, not mooncake; read it as azure"},
  };
}

std::vector<Bad> bad_csv() {
  const TraceFormat a = TraceFormat::azure;
  const TraceFormat l = TraceFormat::lengths;
  std::vector<Bad> bad = {
      {a, csv(""), "t:1: " + none},
      {a, csv("\n \n"), "t:3: " + none},
      {a, "TIMESTAMP,ContextTokens\n",
       "t:1: header: is \"TIMESTAMP,ContextTokens\"; write TIMESTAMP,ContextTokens,GeneratedTokens"},
      {a, "2023-11-16 18:17:03.9799600,4808,10\n",
       "t:1: header: is \"2023-11-16 18:17:03.9799600,4808,10\"; write TIMESTAMP,ContextTokens,GeneratedTokens"},
      {a, csv("2023-11-16 18:17:03,1"), "t:2: columns: there are 2; write 3 as in the first line"},
      {a, csv("2023-11-16 18:17:03,1,2,3"), "t:2: columns: there are 4; write 3 as in the first line"},
      {a, csv("2023-11-16 18:17:03,,2"), "t:2: ContextTokens: \"\" is not an integer" + to_tokens},
      {a, csv("2023-11-16 18:17:03,1,2e3"), "t:2: GeneratedTokens: \"2e3\" is not an integer" + to_tokens},
      {a, csv("2023-11-16 18:17:03,1,\t2\x01\xc3\xa9"), "t:2: GeneratedTokens: \"2???\" is not an integer" + to_tokens},
      {a, csv("2023-11-16 18:17:03,1,-2"), "t:2: GeneratedTokens: -2 is negative" + to_tokens},
      {a, csv("2023-11-16 18:17:03,2147483648,2"), "t:2: ContextTokens: 2147483648 is too large" + to_tokens},
      {a, csv("2023-11-16 18:17:03,1,\"2"), "t:2: quotes: a quoted field has no end; close it on the same line"},
      {a, csv("2023-11-16 18:17:03,1,\"2\"3"),
       "t:2: quotes: text follows a quoted field; put a comma after the closing quote"},
      {a, csv(std::string("2023-11-16 18:17:03,1\0,2", 24)), "t:2: " + nul},
      {a, std::string("\xff\xfeT\0I\0", 6), "t:1: " + nul},
      {a, std::string(mooncake_text), "t:1: format: this is a trace of mooncake, not azure; read it as mooncake"},
      {a, "1,2\n", "t:1: format: this is a trace of lengths, not azure; read it as lengths"},
      {l, csv("x"), "t:1: format: this is a trace of azure, not lengths; read it as azure"},
      {l, "a,num_decode_tokens\n1,2\n",
       "t:1: num_prefill_tokens: is no column of the header; name it there, or give two bare columns"},
      {l, "1,2,3\n", "t:1: num_prefill_tokens: is no column of the header; name it there, or give two bare columns"},
      {l, "num_decode_tokens,num_prefill_tokens,num_decode_tokens\n1,2,3\n",
       "t:1: num_decode_tokens: is two columns of the header; name it once"},
      {l, "num_decode_tokens,num_prefill_tokens\n", "t:1: " + none},
      {l, "1,2\n3\n", "t:2: columns: there are 1; write 2 as in the first line"},
      {l, "1,-2\n", "t:1: num_decode_tokens: -2 is negative" + to_tokens},
      {l, "1,2\n1 2,3\n", "t:2: num_prefill_tokens: \"1 2\" is not an integer" + to_tokens},
      {l, "1,2\n-99999999999999999999,3\n",
       "t:2: num_prefill_tokens: \"-99999999999999999999\" is negative" + to_tokens},
      {l, "1,2\n1,1" + std::string(50, '0'),
       "t:2: num_decode_tokens: \"1" + std::string(39, '0') + "...\" is too large" + to_tokens},
  };
  for (const std::string& time :
       parts("|yesterday|2023-11-16|2023-11-16T18:17:03|2023-13-16 18:17:03|2023-00-16 18:17:03|2023-02-29 18:17:03|"
             "2100-02-29 18:17:03|2023-04-31 18:17:03|2023-04-00 18:17:03|2023-11-16 24:17:03|2023-11-16 18:60:03|"
             "2023-11-16 18:17:60|2023-11-16 18:17:3|2023-11-16 18:17:03.|2023-11-16 18:17:03.1234567890|"
             "2023-11-16 18:17:03x|1969-11-16 18:17:03|2201-11-16 18:17:03|2023-11-16 -1:17:03")) {
    bad.push_back({a, csv(time + ",1,2"), "t:2: TIMESTAMP: \"" + std::string(time).append("\"").append(no_time)});
  }
  return bad;
}

TEST(TraceRead, MalformedInputIsNamed) {
  for (const std::vector<Bad>& table : {bad_mooncake(), bad_csv()}) {
    for (const Bad& bad : table) {
      EXPECT_EQ(error_of([&] { read(bad.text, bad.format); }), bad.what) << bad.text.substr(0, 200);
    }
  }
}

std::string mutated(std::string text, Rng& rng) {
  static const std::vector<std::string> pieces = parts(
      "\"|,|\n|\r\n|-|9|99999999999|1e999|[|{|}|]|.|:|null| |\xef\xbb\xbf|\xff|\\u|hash_ids|num_prefill_tokens|\0"sv);
  for (std::uint64_t edits = 1 + rng.below(4); edits > 0; --edits) {
    const std::size_t at = rng.below(text.size() + 1);
    const std::size_t count = rng.below(rng.one_in(4) ? text.size() + 1 : 6);
    switch (rng.below(5)) {
      case 0: text.insert(at, rng.pick<std::string>(pieces)); break;
      case 1: text.erase(at, count); break;
      case 2: text.insert(at, text.substr(rng.below(text.size() + 1), count)); break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << rng.below(8)));
        break;
      default: text.replace(at, count, rng.pick<std::string>(pieces)); break;
    }
  }
  return text;
}

void expect_sound(const std::vector<TraceRequest>& requests) {
  ASSERT_FALSE(requests.empty());
  double first = requests[0].arrival_s;
  for (const TraceRequest& request : requests) {
    first = std::min(first, request.arrival_s);
    for (const std::int64_t length : {request.input_tokens, request.output_tokens}) {
      ASSERT_GE(length, 0);
      ASSERT_LE(length, 2147483647);
    }
  }
  ASSERT_EQ(first, 0);
}

TEST(TraceRead, MutatedTracesOnlyThrowTraceError) {
  const std::string_view texts[] = {mooncake_text, azure_text, lengths_text, "12,3\n4,5\n"};
  int read_well = 0;
  int refused = 0;
  for (std::uint64_t index = 0; index < 20'000; ++index) {
    Rng rng(sub_seed(20260101, index));
    const std::string text = mutated(std::string(rng.pick<std::string_view>(texts)), rng);
    try {
      const TraceFormat format = rng.one_in(8) ? rng.pick<TraceFormat>(formats) : guess_format(text, "t");
      expect_sound(read(text, format, rng.between(0, 5)));
      ++read_well;
    } catch (const TraceError& error) {
      const std::string_view what = error.what();
      ASSERT_TRUE(what.starts_with("t:") && what.find("; ") != what.npos) << what;
      ASSERT_TRUE(std::all_of(what.begin(), what.end(), [](char c) { return c >= ' ' && c <= '~'; })) << what;
      ++refused;
    } catch (const std::exception& error) {
      FAIL() << "mutation " << index << ": " << error.what();
    }
  }
  EXPECT_GT(read_well, 2'000);
  EXPECT_GT(refused, 2'000);
}

std::string sample(const std::string& name) {
  std::ifstream file(source_root() / "tests/data/traces" / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(TraceRead, Samples) {
  for (const TraceFormat format : formats) {
    const std::string name =
        std::string(name_of(format)) + "_sample" + (format == TraceFormat::mooncake ? ".jsonl" : ".csv");
    const std::string text = sample(name);
    ASSERT_FALSE(text.empty()) << name;
    EXPECT_EQ(guess_format(text, name), format);
    EXPECT_EQ(read(text, format).size(), 40u);
  }
}

}  // namespace
}  // namespace pagestorm::sim
