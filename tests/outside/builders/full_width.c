/* Right in its own way: rewrites every column of a row, those after the live prefix with page 0. */
#define NAME "full_width"
#define DECLARE(c) ((c)->without = PAGESTORM_FULL_WIDTH)
#define FINISH_ROW(table, r, live) \
  for (int64_t c = (live); c < (table)->shape[1]; ++c) put_cell(table, r, c, 0)
#include "whole.h"
