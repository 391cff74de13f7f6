#include "laws.hpp"

namespace pagestorm::props {

const std::vector<LawEntry>& law_catalogue() {
  static const std::vector<LawEntry> catalogue = {
      {"writes_only_live_cells", writes_only_live_cells, Fault::spills_past_width},
      {"agrees_with_reference", agrees_with_reference, Fault::verify_tokens_ignored},
      {"swa_slots_are_valid", swa_slots_are_valid, Fault::translated_after_dividing},
      {"reads_only_live_cells", reads_only_live_cells, Fault::end_of_page_read},
      {"lane_order_is_irrelevant", lane_order_is_irrelevant, Fault::neighbour_awaited},
      {"replay_equals_fresh", replay_equals_fresh, Fault::stale_page_kept},
      {"padding_is_inert", padding_is_inert, Fault::padding_row_hits_live_slot},
      {"paths_agree", paths_agree, Fault::build_rounds_down},
      {"metadata_needs_no_host_sync", metadata_needs_no_host_sync, Fault::lengths_read_on_host},
  };
  return catalogue;
}

std::vector<std::unique_ptr<sim::Law>> all_laws() {
  std::vector<std::unique_ptr<sim::Law>> laws;
  for (const LawEntry& entry : law_catalogue()) laws.push_back(entry.make());
  return laws;
}

}  // namespace pagestorm::props
