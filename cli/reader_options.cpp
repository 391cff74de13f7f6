#include "reader_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "error.hpp"

namespace pagestorm::cli {

std::string_view name_of(ReadBy reader) {
  switch (reader) {
    case ReadBy::host: return "host";
    case ReadBy::device: return "device";
    case ReadBy::both: return "both";
  }
  return "";
}

void read_reader(const CampaignText& text, Campaign& campaign) {
  for (const ReadBy reader : {ReadBy::host, ReadBy::device, ReadBy::both})
    if (name_of(reader) == text.reader) campaign.reader = reader;
  if (campaign.reader == ReadBy::host) return;
  constexpr std::string_view law = "attention_reads_what_was_written";
  if (campaign.judge != JudgedBy::host)
    throw UsageError(
        fmt::format("--reader {}: --judge {} leaves law {} out; use --judge host", text.reader, text.judge, law));
  if (std::ranges::find(campaign.laws, law) == campaign.laws.end())
    throw UsageError(fmt::format("--reader {}: only law {} reads KV slots; name it with --law", text.reader, law));
}

}  // namespace pagestorm::cli
