/* Misbehaves: leaves in the middle of a call, without a word. */
#define NAME "leaves"
#define ON_CALL(batch, out) \
  if ((batch)->rows == 2) exit(3)
#include "whole.h"
