#pragma once
// The one place that knows which compiler reads it.

#if defined(__CUDACC__)
#define PAGESTORM_HD __host__ __device__ __forceinline__
#define PAGESTORM_UNROLL _Pragma("unroll")
#else
#define PAGESTORM_HD inline
#define PAGESTORM_UNROLL
#endif
