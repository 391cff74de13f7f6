#include "step_work.hpp"

namespace pagestorm::sim::time {

void StepWork::clear() {
  for (std::vector<RowPart>* rows : {&rows_written, &rows_loaded, &rows_read}) rows->clear();
  for (std::vector<std::int32_t>* ids : {&maps_written, &rows_issued, &pages_loaded, &swa_pages_loaded, &relays,
                                         &maps_read, &pages_read, &swa_pages_read, &pages_written, &swa_pages_written})
    ids->clear();
  name = {};
  plans_batch = frees_by_window = has_forward = captured = prefills = speculates = may_plan = commits = ragged = false;
}

}  // namespace pagestorm::sim::time
