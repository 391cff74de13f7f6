/* Wrong: takes a slot without an SWA page for a slot of the SWA pool. */
#define NAME "tombstone"
#define TOMBSTONE(slot, size) ((slot) / (size))
#include "whole.h"
