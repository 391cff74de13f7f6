#include "pagestorm/device_timing.hpp"

#include "pagestorm/builder.hpp"

namespace pagestorm {

std::string device_timing_absent_because() { return cuda_description(); }

DeviceRates device_rates(int) { throw BuilderError(device_timing_absent_because()); }

TimedCall device_time(const TimedShape&, int) { throw BuilderError(device_timing_absent_because()); }

TimedFlashCall device_time(const TimedFlash&, int) { throw BuilderError(device_timing_absent_because()); }

}  // namespace pagestorm
