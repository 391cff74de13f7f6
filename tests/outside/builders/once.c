/* Misbehaves: crashes in its hundredth call, but only where no file is in the way yet, and puts one there. */
#include <fcntl.h>
#include <stdlib.h>

static int calls = 0;

static void crash_once(void) {
  const char* mark = getenv("PAGESTORM_TEST_MARK");
  if (mark != NULL && open(mark, O_CREAT | O_EXCL | O_WRONLY, 0600) >= 0) *(volatile int*)0 = 1;
}

#define NAME "once"
#define ON_CALL(batch, out) \
  if (++calls == 100) crash_once()
#include "whole.h"
