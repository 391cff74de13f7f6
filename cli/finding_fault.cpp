#include "finding_fault.hpp"

#include <fmt/format.h>

#include "error.hpp"

namespace pagestorm::cli {

Fault fault_of(const sim::Finding& finding, const std::string& file) {
  if (finding.fault.empty()) throw UsageError(fmt::format("{}: names no fault; leave --with-fault away", file));
  const auto known = fault_by_name(finding.fault);
  if (!known)
    throw UsageError(
        fmt::format("{}: fault: there is no fault '{}'; `pagestorm info` lists them", file, finding.fault));
  return *known;
}

}  // namespace pagestorm::cli
