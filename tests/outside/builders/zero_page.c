/* Right in its own way: a negative slot becomes page 0, as dividing it by a page size with truncation does. */
#define NAME "zero_page"
#define DECLARE(c) ((c)->absent_becomes = PAGESTORM_BECOMES_ZERO)
#define ABSENT 0
#include "whole.h"
