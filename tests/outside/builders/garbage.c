/* Misbehaves: declares garbage. */
#include <string.h>
#define NAME "garbage"
#define DECLARE(c) ((c)->page_size_low = 0x7fff0000, (c)->without = 0xdeadbeef, (c)->rows_high = -7)
#include "whole.h"
