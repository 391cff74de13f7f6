#pragma once
// What SGLang's public Triton kernels took, run as published on one NVIDIA H200 with CUDA 13.0 and Triton 3.6: graph
// microseconds a call. The fused kernel does what `apply` does, the builder alone what `build` does.

#include <cstdint>
#include <optional>

#include "pagestorm/device_timing.hpp"

namespace pagestorm::cli {

struct BaselineTimes {
  double plain = 0;  ///< without SWA; 0: was not measured
  double swa = 0;
};

struct BaselineShape {
  std::int64_t rows, length;
  std::int32_t page_size;
  std::int64_t context;
  BaselineTimes apply, build;
};

inline constexpr BaselineShape baseline[] = {
    {1, 1'024, 64, 131'072, {1.33, 1.95}, {1.56, 1.71}},
    {1, 131'072, 64, 131'072, {3.16, 5.55}, {}},
    {1, 131'072, 1, 131'072, {50.7, 144.6}, {}},
    {8, 32'768, 16, 131'072, {3.24, 5.67}, {}},
    {32, 4'096, 64, 131'072, {1.73, 2.17}, {1.73, 1.93}},
    {128, 8'192, 64, 131'072, {1.89, 2.41}, {3.46, 3.45}},
    {256, 32'768, 64, 131'072, {2.94, 4.61}, {6.51, 8.19}},
    {256, 32'768, 16, 131'072, {7.23, 26.7}, {9.24, 22.7}},
    {256, 32'768, 1, 32'768, {40.2, 163}, {27.6, 162}},
    {64, 131'072, 1, 131'072, {120, 375}, {27.5, 162}},
    {512, 8'192, 1, 8'192, {8.36, 53.6}, {11.8, 61.7}},
    {1'024, 32'768, 64, 40'960, {15.1, 31.1}, {14.9, 28.9}},
};

inline TimedShape shape_of(const BaselineShape& row, Entry entry, bool swa) {
  return {row.rows, row.length, row.page_size, row.context, swa, entry};
}

/// Upstream's graph time, where there is one.
inline std::optional<double> upstream(const BaselineShape& row, Entry entry, bool swa) {
  const BaselineTimes& times = entry == Entry::apply ? row.apply : row.build;
  const double time = swa ? times.swa : times.plain;
  return time > 0 ? std::optional(time) : std::nullopt;
}

}  // namespace pagestorm::cli
