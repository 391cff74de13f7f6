#pragma once
// Functions that a host compiler and nvcc both read.

#if defined(__CUDACC__)
#define PAGESTORM_JUDGE_HD __host__ __device__ __forceinline__
/// What is seldom called must not take registers from what is called for every word.
#define PAGESTORM_JUDGE_APART __host__ __device__ __noinline__ inline
#else
#define PAGESTORM_JUDGE_HD inline
#define PAGESTORM_JUDGE_APART inline
#endif

/// Before a loop over a local array, so that the array can live in registers.
#if defined(__CUDA_ARCH__)
#define PAGESTORM_JUDGE_UNROLL _Pragma("unroll")
#else
#define PAGESTORM_JUDGE_UNROLL
#endif
