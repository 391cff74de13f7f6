#include "pagestorm/device_streams.hpp"

#include "pagestorm/builder.hpp"

namespace pagestorm {

std::string device_streams_absent_because() { return cuda_description(); }

std::unique_ptr<StreamRunner> device_streams() { throw BuilderError(device_streams_absent_because()); }

}  // namespace pagestorm
