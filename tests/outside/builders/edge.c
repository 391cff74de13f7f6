/* Wrong: believes that no extend length is negative, which no engine shows otherwise. */
#define NAME "edge"
#define ON_CALL(batch, out)                                                            \
  for (int64_t r = 0; (batch)->extend_seq_lens.data != NULL && r < (batch)->rows; ++r) \
    if (element(&(batch)->extend_seq_lens, r) < 0) *(volatile int*)0 = 1
#include "whole.h"
