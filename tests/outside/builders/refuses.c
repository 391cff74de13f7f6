/* Misbehaves: refuses calls that it promised to take, and says why. */
#define NAME "refuses"
#define pagestorm_apply apply_whole
#include "whole.h"
#undef pagestorm_apply

int pagestorm_apply(const pagestorm_batch* batch, const pagestorm_metadata* out, void* stream) {
  return batch->page_size == 3 ? 22 : apply_whole(batch, out, stream);
}

const char* pagestorm_last_error(void) { return "a page of three tokens is not for me"; }
