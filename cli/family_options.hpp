#pragma once
// --family, --top-k and --draft-tokens: what is drawn, and which laws have something to judge.

#include <string>
#include <vector>

#include "options.hpp"

namespace pagestorm::cli {

/// The family that scenarios are drawn of, once judge, reader and laws are known. A fault of the FlashAttention family asks for
/// it by itself. Throws UsageError for what does not go with the family, or with its absence.
void read_family(const CampaignText& text, Campaign& campaign);

/// Throws UsageError where one of the laws judges nothing but the family.
void require_no_flash_law(const std::vector<std::string>& laws);

}  // namespace pagestorm::cli
