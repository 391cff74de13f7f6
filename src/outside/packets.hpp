#pragma once
// A call in the words of the C interface.

#include "pagestorm/batch.hpp"
#include "pagestorm/call_memory.hpp"
#include "pagestorm/wire.h"

namespace pagestorm::outside {

/// The packet that asks for a call whose regions `memory` stands for.
pagestorm_wire_call packet_of(const Batch& batch, const Metadata& out, const CallMemory& memory);

}  // namespace pagestorm::outside
