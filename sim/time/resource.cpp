#include "resource.hpp"

#include <fmt/format.h>

namespace pagestorm::sim::time {

std::string name_of(const Resource& resource, const Span& span) {
  switch (resource.kind) {
    case Kind::row:
      if (span == Span{}) return fmt::format("row {} of req_to_token", resource.id);
      return fmt::format("row {} of req_to_token, positions {} to {}", resource.id, span.first, span.end - 1);
    case Kind::map: return fmt::format("the map of page {}", resource.id);
    case Kind::kv: return fmt::format("page {}", resource.id);
    case Kind::swa_kv: return fmt::format("SWA page {}", resource.id);
    case Kind::table: return fmt::format("page-table buffer {}", resource.id);
    case Kind::lengths: return "the lengths of a batch";
    case Kind::relay: return fmt::format("the committed length of row {}", resource.id);
    case Kind::staging: return fmt::format("pinned buffer {}", resource.id);
    case Kind::mirror: return fmt::format("the host's copy of the length of row {}", resource.id);
    case Kind::outputs: return "the host's copy of a forward's tokens";
  }
  return "?";
}

}  // namespace pagestorm::sim::time
