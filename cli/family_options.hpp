#pragma once
// --family, --top-k and --draft-tokens: what is drawn, and which laws have something to judge.

#include "options.hpp"

namespace pagestorm::cli {

/// The family that scenarios are drawn of, once judge, reader and laws are known. A fault of the FlashAttention family asks for
/// it by itself. Throws UsageError for what does not go with the family, or with its absence.
void read_family(const CampaignText& text, Campaign& campaign);

}  // namespace pagestorm::cli
