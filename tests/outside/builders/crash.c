/* Wrong: a row whose keys fill exactly three pages is looked up through a null pointer. */
#define NAME "crash"
#define ON_ROW(batch, out, r, keys) \
  if ((keys) == 3 * (int64_t)(batch)->page_size) *(volatile int*)0 = 1
#include "whole.h"
