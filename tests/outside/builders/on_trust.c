/* Right in its own way: never looks at shapes, which is the duty of whoever calls it. */
#define NAME "on_trust"
#define DECLARE(c) ((c)->without = PAGESTORM_NO_REFUSALS)
#define REFUSES(batch, out, builds) 0
#include "whole.h"
