/* Wrong as crash is, and slow to start as whoever needs a device is: each process costs 0.3 s. */
#define _DEFAULT_SOURCE
#include <unistd.h>

#define NAME "slow_start"
#define DECLARE(c) ((void)(c), usleep(300000))
#define ON_ROW(batch, out, r, keys) \
  if ((keys) == 3 * (int64_t)(batch)->page_size) *(volatile int*)0 = 1
#include "whole.h"
