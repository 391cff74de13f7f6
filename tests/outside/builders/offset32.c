/* Wrong: multiplies a row by its stride in 32 bits. */
#define NAME "offset32"
#define TABLE_OFFSET(table, r, c) \
  ((int32_t)((uint32_t)(r) * (uint32_t)(table)->strides[0] + (uint32_t)(c) * (uint32_t)(table)->strides[1]))
#include "whole.h"
