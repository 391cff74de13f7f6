/* Misbehaves: writes where it may only read. */
#define NAME "inputs"
#define ON_CALL(batch, out) \
  if ((batch)->rows > 0) ((int32_t*)(batch)->seq_lens.data)[0] = 1
#include "whole.h"
