#include "pagestorm/device_reader.hpp"

namespace pagestorm {

std::string device_reader_absent_because() { return cuda_description(); }

std::unique_ptr<DeviceReader> device_reader() { throw BuilderError(device_reader_absent_because()); }

}  // namespace pagestorm
