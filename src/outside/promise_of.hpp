#pragma once
// What a builder declares, understood.

#include <string>

#include "pagestorm/abi.h"
#include "pagestorm/promise.hpp"

namespace pagestorm::outside {

/// What is wrong with declared capabilities, as "page_size_low: 70000 is no page size; use 1 to 4096, or 0 for 1"; empty
/// when nothing is.
std::string complaint(const pagestorm_capabilities& declared);

/// The promise in capabilities about which there is no complaint.
Promise promise_of(const pagestorm_capabilities& declared);

}  // namespace pagestorm::outside
