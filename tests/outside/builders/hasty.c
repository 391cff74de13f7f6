/* Wrong: has written an element of a sum by the time it refuses. */
#define NAME "hasty"
#define REFUSES(batch, out, builds) (begin(out, builds), does_not_fit(batch, out, builds))
#define begin(out, builds) \
  ((builds) || (out)->cu_seqlens_q.data == NULL ? (void)0 : put32(&(out)->cu_seqlens_q, 0, 0))
#include "whole.h"
