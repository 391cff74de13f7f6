#pragma once
// The one place that knows which compiler reads it.

#if defined(__CUDACC__)
#define PAGESTORM_HD __host__ __device__ __forceinline__
#else
#define PAGESTORM_HD inline
#endif
