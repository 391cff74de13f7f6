// bench syncs: which calls count as what, and what is said where nothing can be observed.

#include <gtest/gtest.h>

#include "pagestorm/api_calls.hpp"
#include "pagestorm/builder.hpp"
#include "refusal.hpp"
#include "run.hpp"

namespace pagestorm::cli {
namespace {

TEST(ApiCalls, AreKnownWithAndWithoutTheirVersion) {
  EXPECT_EQ(base_name("cuMemAlloc_v2"), "cuMemAlloc");
  EXPECT_EQ(base_name("cuMemcpyDtoHAsync_v2_ptsz"), "cuMemcpyDtoHAsync");
  EXPECT_EQ(base_name("cudaMalloc_v3020"), "cudaMalloc");
  EXPECT_EQ(base_name("cuStreamSynchronize"), "cuStreamSynchronize");
  EXPECT_EQ(base_name("a_vtable"), "a_vtable");
  EXPECT_EQ(base_name("odd_"), "odd_");
}

TEST(ApiCalls, ThatWaitForTheDeviceAreSyncs) {
  for (const char* name :
       {"cuStreamSynchronize_ptsz", "cudaStreamSynchronize", "cuEventSynchronize", "cuCtxSynchronize",
        "cudaDeviceSynchronize", "cudaMemcpy", "cuMemcpyDtoH_v2", "cuMemcpyHtoD_v2_ptds"})
    EXPECT_EQ(api_call_of(name), ApiCall::host_sync) << name;
}

TEST(ApiCalls, OfMemoryAreAllocations) {
  for (const char* name :
       {"cuMemAlloc_v2", "cuMemAllocAsync", "cuMemFreeAsync_ptsz", "cuMemHostAlloc", "cuMemAllocHost_v2",
        "cuMemFree_v2", "cudaMalloc", "cudaMallocAsync", "cudaHostAlloc", "cudaFreeHost"})
    EXPECT_EQ(api_call_of(name), ApiCall::allocation) << name;
}

TEST(ApiCalls, ThatEnqueueAreLaunchesAndCopies) {
  for (const char* name : {"cudaLaunchKernel", "cudaLaunchKernelExC", "cuLaunchKernel", "cuLaunchKernelEx",
                           "cuGraphLaunch", "cudaGraphLaunch"})
    EXPECT_EQ(api_call_of(name), ApiCall::launch) << name;
  for (const char* name : {"cudaMemcpyAsync", "cuMemcpyDtoHAsync_v2", "cuMemcpyHtoDAsync_v2_ptsz", "cuMemcpyAsync"})
    EXPECT_EQ(api_call_of(name), ApiCall::copy) << name;
}

TEST(ApiCalls, ThatAskOrSetCountForNothing) {
  for (const char* name : {"cuStreamQuery", "cudaEventQuery", "cudaEventRecord", "cuStreamWaitEvent",
                           "cudaGetLastError", "cuMemsetD8Async", "__cudaPushCallConfiguration", "Memcpy", ""})
    EXPECT_EQ(api_call_of(name), ApiCall::other) << name;
}

// The runtime's call is the one that counts, and it is what the driver's within it is.
TEST(ApiCalls, WithinCallsAreOneAndAsHeavyAsTheHeaviest) {
  ApiCalls calls;
  EXPECT_TRUE(calls.enter("cudaMemcpyAsync"));
  EXPECT_FALSE(calls.enter("cuMemcpyDtoHAsync_v2"));
  EXPECT_FALSE(calls.leave());
  EXPECT_TRUE(calls.enter("cuStreamSynchronize"));
  EXPECT_FALSE(calls.leave());
  EXPECT_TRUE(calls.leave());
  EXPECT_EQ(calls.heaviest(), ApiCall::host_sync);
  EXPECT_FALSE(calls.enter("cudaEventQuery"));
  EXPECT_TRUE(calls.leave());
  EXPECT_EQ(calls.heaviest(), ApiCall::other);
  EXPECT_FALSE(calls.leave()) << "its beginning was not observed";
}

TEST(Syncs, WithoutADeviceAreRefused) {
  if (cuda_builders().empty() || cuda_builders().front().absent_because.empty()) GTEST_SKIP() << "there is a device";
  expect_refusal(run({"bench", "syncs"}), 3, cuda_builders().front().absent_because);
}

TEST(Syncs, OfAnotherFaultAreRefused) {
  expect_refusal(run({"bench", "syncs", "--fault", "dedup_forgets_row"}), 2, "--fault: 'dedup_forgets_row'");
}

TEST(Syncs, WithoutAnObserverAreRefused) {
  if (!cuda_builders().empty() && !cuda_builders().front().absent_because.empty())
    GTEST_SKIP() << cuda_builders().front().absent_because;
  expect_refusal(run({"bench", "syncs", "--cupti", "/no/such/libcupti.so"}), 3, "/no/such/libcupti.so");
}

}  // namespace
}  // namespace pagestorm::cli
