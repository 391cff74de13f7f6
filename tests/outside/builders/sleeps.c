/* Wrong: in a batch of three rows or more it waits for something that never comes, asleep. */
#include <unistd.h>

#define NAME "sleeps"
#define ON_CALL(batch, out) \
  while ((batch)->rows >= 3) pause()
#include "whole.h"
