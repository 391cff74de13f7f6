/* Misbehaves: crashes in its thousandth call, whatever that is. */
static int calls = 0;
#define NAME "thousand"
#define ON_CALL(batch, out) \
  if (++calls == 1000) *(volatile int*)0 = 1
#include "whole.h"
