#pragma once
// A call in the words of the C interface.

#include "pagestorm/batch.hpp"
#include "pagestorm/wire.h"
#include "share.hpp"

namespace pagestorm::outside {

/// The packet that asks for a call whose views lie in two shares. `device` is where their memory is.
pagestorm_wire_call packet_of(const Batch& batch, const Metadata& out, const Share& inputs, const Share& image,
                              std::int32_t device);

}  // namespace pagestorm::outside
