#include "pagestorm/device_launch.hpp"

#include "pagestorm/builder.hpp"

namespace pagestorm {

void launch_on_device(const Batch&, const Metadata&, void*) { throw BuilderError(cuda_description()); }

}  // namespace pagestorm
