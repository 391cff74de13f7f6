// --reader: where KV slots are read, and what is said where no device can.

#include <gtest/gtest.h>

#include "pagestorm/device_reader.hpp"
#include "refusal.hpp"
#include "report.hpp"

namespace pagestorm::cli {
namespace {

const Args few = {"check", "--cases", "20", "--seed", "1", "--near", "--builder", "host"};

Args with(const std::string& reader, const Args& further = {}) {
  Args args = few;
  args.insert(args.end(), {"--reader", reader});
  args.insert(args.end(), further.begin(), further.end());
  return args;
}

TEST(Reader, IsTheHostsUnlessAskedFor) {
  const TempDir dir;
  const Reported plain = report_of(dir, few);
  const Reported named = report_of(dir, with("host"));
  EXPECT_EQ(named.ran.code, 0) << named.ran.err;
  EXPECT_EQ(named.json["reader"], "host");
  EXPECT_EQ(counts(named.json), counts(plain.json));
}

TEST(Reader, WithoutADeviceIsRefused) {
  const std::string absent = device_reader_absent_because();
  if (absent.empty()) GTEST_SKIP() << "there is a device";
  const TempDir dir;
  for (const std::string reader : {"device", "both"})
    for (const Args& further : {Args{}, Args{"--jobs", "2"}, Args{"--in-process"}}) {
      const Ran ran = run(with(reader, further), {.folder = dir.path()});
      EXPECT_EQ(ran.out, "");
      expect_refusal(ran, 3, "--reader " + reader + ": no device can read: " + absent);
    }
}

TEST(Reader, OnADeviceAgreesWithTheHost) {
  if (const std::string absent = device_reader_absent_because(); !absent.empty()) GTEST_SKIP() << absent;
  const TempDir dir;
  const Reported both = report_of(dir, with("both"));
  EXPECT_EQ(both.ran.code, 0) << both.ran.out << both.ran.err;
  EXPECT_EQ(both.json["rows"].front()["law"], "readers_agree");
  const Reported device = report_of(dir, with("device", {"--law", "attention_reads_what_was_written"}));
  EXPECT_EQ(device.ran.code, 0) << device.ran.out << device.ran.err;
}

TEST(Reader, AFileAboutBothReadersIsReplayedBeforeBoth) {
  const TempDir dir;
  const std::string file = dir.write("agree.scenario",
                                     "pagestorm scenario 1\nlaw: readers_agree\nbuilder: host\nsteps:\n"
                                     "  admit amount=3\n  decode\n");
  const Ran ran = run({"replay", file}, {.folder = dir.path()});
  const std::string absent = device_reader_absent_because();
  EXPECT_EQ(ran.code, absent.empty() ? 0 : 3) << ran.out << ran.err;
  EXPECT_EQ(ran.err.find("no device can read: " + absent) != std::string::npos, !absent.empty()) << ran.err;
}

}  // namespace
}  // namespace pagestorm::cli
