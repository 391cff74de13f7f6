#include "judge_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "error.hpp"
#include "pagestorm/builder.hpp"
#include "pagestorm/device_judge.hpp"

namespace pagestorm::cli {
namespace {

std::vector<std::string> names_of_image_laws() {
  std::vector<std::string> names;
  for (const ImageLaw law : image_laws) names.emplace_back(name_of(law));
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Their names alone: whether they are present is asked later, in a process that may touch a device.
constexpr std::string_view device_builders[] = {"cuda-stream", "cuda-graph", "cuda-packed"};

void read_builders(const CampaignText& text, Campaign& campaign) {
  if (campaign.builders.empty()) campaign.builders.assign(std::begin(device_builders), std::end(device_builders));
  for (const std::string& name : campaign.builders)
    if (std::find(std::begin(device_builders), std::end(device_builders), name) == std::end(device_builders))
      throw UsageError(fmt::format("--judge {}: builder {} leaves no image on a device; use {}", text.judge, name,
                                   fmt::join(std::begin(device_builders), std::end(device_builders), ", ")));
}

void read_laws(const CampaignText& text, Campaign& campaign) {
  const std::vector<std::string> possible = names_of_image_laws();
  for (const std::string& name : text.laws)
    if (!contains(possible, name))
      throw UsageError(fmt::format("--judge {}: law {} needs more than images; use {}", text.judge, name,
                                   fmt::join(possible, ", ")));
  const auto first_not_run = std::stable_partition(campaign.laws.begin(), campaign.laws.end(),
                                                   [&](const std::string& name) { return contains(possible, name); });
  campaign.not_run.assign(std::make_move_iterator(first_not_run), std::make_move_iterator(campaign.laws.end()));
  campaign.laws.erase(first_not_run, campaign.laws.end());
}

}  // namespace

std::string_view name_of(JudgedBy judge) {
  switch (judge) {
    case JudgedBy::host: return "host";
    case JudgedBy::device: return "device";
    case JudgedBy::both: return "both";
  }
  return "";
}

void read_judge(const CampaignText& text, Campaign& campaign) {
  for (const JudgedBy judge : {JudgedBy::host, JudgedBy::device, JudgedBy::both})
    if (name_of(judge) == text.judge) campaign.judge = judge;
  if (campaign.judge == JudgedBy::host) return;
  if (fault_site(campaign.fault) == FaultSite::engine)
    throw UsageError(fmt::format("--judge {}: fault {} is in the engine, which no image shows; use --judge host",
                                 text.judge, fault_name(campaign.fault)));
  read_builders(text, campaign);
  read_laws(text, campaign);
}

}  // namespace pagestorm::cli
