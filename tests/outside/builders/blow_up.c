/* Misbehaves: allocates without end in a batch of two rows, and believes that there is always memory. */
#include <stdio.h>
#include <stdlib.h>

static void blow_up(void) {
  for (;;) {
    char* more = malloc((size_t)256 << 20);
    if (more == NULL) {
      fprintf(stderr, "out of memory\n");
      abort();
    }
    more[0] = 1;
  }
}

#define NAME "blow_up"
#define ON_CALL(batch, out) \
  if ((batch)->rows == 2) blow_up()
#include "whole.h"
