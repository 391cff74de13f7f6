#include "family_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "error.hpp"
#include "props/laws.hpp"

namespace pagestorm::cli {
namespace {

void require_host(const CampaignText& text, const Campaign& campaign) {
  if (campaign.judge != JudgedBy::host) throw UsageError("--judge: the family flash is judged on the host; use host");
  if (campaign.reader != ReadBy::host) throw UsageError("--reader: the family flash is read on the host; use host");
  if (!text.timing.empty()) throw UsageError("--timing: the family flash does not overlap; leave --timing out");
}

// Laws that have nothing to judge are not run, and said not to be.
void leave_out_flash_laws(const CampaignText& text, Campaign& campaign) {
  require_no_flash_law(text.laws);
  const auto first = std::stable_partition(campaign.laws.begin(), campaign.laws.end(),
                                           [](const std::string& name) { return !props::is_flash_only(name); });
  campaign.not_run.insert(campaign.not_run.end(), first, campaign.laws.end());
  campaign.laws.erase(first, campaign.laws.end());
}

}  // namespace

void require_no_flash_law(const std::vector<std::string>& laws) {
  for (const std::string& name : laws)
    if (props::is_flash_only(name))
      throw UsageError(fmt::format("--law: {} judges the family flash alone; add --family flash", name));
}

void read_family(const CampaignText& text, Campaign& campaign) {
  sim::Space& space = campaign.space;
  space.flash = text.family == "flash" || needs_flash(campaign.fault);
  if (!text.draft_tokens.empty())
    std::tie(space.draft_tokens_low, space.draft_tokens_high) = range_of(text.draft_tokens, "--draft-tokens", 1, 64);
  if (!text.top_k.empty()) std::tie(space.top_k_low, space.top_k_high) = range_of(text.top_k, "--top-k", 1, 8);
  if (space.flash) return require_host(text, campaign);
  if (!text.top_k.empty())
    throw UsageError("--top-k: only drafts of the family flash have branches; add --family flash");
  leave_out_flash_laws(text, campaign);
}

}  // namespace pagestorm::cli
