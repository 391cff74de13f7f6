#pragma once
// The one place that knows which compiler reads it.

#if defined(__CUDACC__)
#define PAGESTORM_HD __host__ __device__ __forceinline__
#else
#define PAGESTORM_HD inline
#endif

/// Before a loop over a local array, so that the array can live in registers.
#if defined(__CUDA_ARCH__)
#define PAGESTORM_UNROLL _Pragma("unroll")
#else
#define PAGESTORM_UNROLL
#endif
