/* Misbehaves: writes all over the fences around its outputs. */
#define NAME "fences"
#define ON_CALL(batch, out)                                                            \
  for (int64_t i = 1; i <= 64; ++i) {                                                  \
    ((int32_t*)(out)->cache_seqlens.data)[-i] = 7;                                     \
    ((int32_t*)(out)->page_table.data)[-i] = 7;                                        \
  }
#include "whole.h"
