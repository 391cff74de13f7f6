/* Wrong as width is, and slow: a call takes 20 ms. */
#define _DEFAULT_SOURCE
#include <unistd.h>

#define NAME "slow"
#define ON_CALL(batch, out) usleep(20000)
#define CUT(pages, width) ((pages) <= (width) ? (pages) : (width) > 0 ? (width)-1 : 0)
#include "whole.h"
