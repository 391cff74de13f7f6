#pragma once
// --reader: what it asks of laws.

#include "options.hpp"

namespace pagestorm::cli {

/// Where the campaign reads KV slots, once its judge and its laws are known. Throws UsageError where the law that reads them
/// is not among the laws.
void read_reader(const CampaignText& text, Campaign& campaign);

}  // namespace pagestorm::cli
