#include "pagestorm/device_guest.hpp"

#include "pagestorm/builder.hpp"
#include "pagestorm/call_memory.hpp"

namespace pagestorm {

std::unique_ptr<CallMemory> device_call_memory() { throw BuilderError(cuda_description()); }

std::unique_ptr<DeviceGuest> device_guest() { throw BuilderError(cuda_description()); }

}  // namespace pagestorm
