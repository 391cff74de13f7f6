/* Wrong: looks at no shape, and does not say so. */
#define NAME "lenient"
#define REFUSES(batch, out, builds) 0
#include "whole.h"
