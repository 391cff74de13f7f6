// Kernels that misbehave on a device, to see that nothing else is disturbed: tools/gpu.sh --only outside.

// Far from anything that was allocated.
extern "C" __global__ void wild(int* table) { table[1ull << 44] = 1; }

// Never comes back.
extern "C" __global__ void endless(volatile unsigned* status) {
  while (*status != 0xdeadbeef) {
  }
}
