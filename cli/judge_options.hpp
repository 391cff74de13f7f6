#pragma once
// --judge: what it asks of builders and laws.

#include "options.hpp"

namespace pagestorm::cli {

/// Where the campaign judges, once its builders and laws are known. A device judges CUDA builders by image laws: all of
/// either where none was named. Throws UsageError for another one that was.
void read_judge(const CampaignText& text, Campaign& campaign);

}  // namespace pagestorm::cli
