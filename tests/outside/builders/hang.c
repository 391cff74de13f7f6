/* Wrong: in a batch of three rows or more it waits for something that never comes, busily. */
#define NAME "hang"
#define ON_CALL(batch, out)                 \
  for (volatile int wait = 1; (batch)->rows >= 3 && wait;) { \
  }
#include "whole.h"
