#include "pagestorm/builder.hpp"

namespace pagestorm {

std::vector<BuilderEntry> builders() {
  std::vector<BuilderEntry> all = host_builders();
  for (BuilderEntry& entry : cuda_builders()) all.push_back(std::move(entry));
  return all;
}

}  // namespace pagestorm
