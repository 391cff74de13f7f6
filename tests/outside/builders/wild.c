/* Misbehaves: writes far beyond the memory of a call, where nothing is. */
#define NAME "wild"
#define ON_CALL(batch, out) ((volatile char*)(out)->status.data)[32 << 20] = 1
#include "whole.h"
