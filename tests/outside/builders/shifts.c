/* Right in its own way: divides by shifting, so it takes powers of two only. */
#include <stdint.h>

static int log2_of(int64_t size) {
  int bits = 0;
  while (((int64_t)1 << bits) < size) ++bits;
  return bits;
}

#define NAME "shifts"
#define DECLARE(c) ((c)->page_size_power_of_two = 1)
#define PAGES_OF(keys, size) (((keys) + (size) - 1) >> log2_of(size))
#define PAGE_OF(slot, size) ((slot) >> log2_of(size))
#include "whole.h"
