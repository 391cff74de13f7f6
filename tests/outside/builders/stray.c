/* Wrong: writes one element after the end of a sum, where the batch has an odd number of rows. */
#define NAME "stray"
#define ON_CALL(batch, out) \
  if ((batch)->rows % 2 == 1) put32(&(out)->cu_seqlens_k, (batch)->rows + 1, 0)
#include "whole.h"
