/* Right in its own way: never looks at the width of the table, which is somebody else's duty. */
#define NAME "no_clamp"
#define DECLARE(c) ((c)->without = PAGESTORM_NO_CLAMP)
#define CUT(pages, width) (pages)
#include "whole.h"
