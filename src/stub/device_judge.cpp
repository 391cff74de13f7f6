#include "pagestorm/device_judge.hpp"

namespace pagestorm {

std::string device_judge_absent_because() { return cuda_description(); }

std::unique_ptr<DeviceJudge> device_judge(std::string_view, Fault) {
  throw BuilderError(device_judge_absent_because());
}

}  // namespace pagestorm
