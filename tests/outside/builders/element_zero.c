/* Right in its own way: element 0 of the sums was set to 0 once and for all by whoever allocated them. */
#define NAME "element_zero"
#define DECLARE(c) ((c)->without = PAGESTORM_NO_ELEMENT_ZERO)
#define FIRST_SUM(sums) ((void)(sums))
#include "whole.h"
