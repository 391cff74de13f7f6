/* Misbehaves: takes memory without end in a batch of two rows, and believes that there is always more. Straight from the
 * system, so that no tool between fills it. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static void blow_up(void) {
  for (;;) {
    char* more = mmap(NULL, (size_t)256 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (more == MAP_FAILED) {
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
