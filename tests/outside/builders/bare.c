/* Right in its own way: has no status word, knows nothing of SWA, and takes shapes on trust. */
#define NAME "bare"
#define DECLARE(c) ((c)->without = PAGESTORM_NO_STATUS | PAGESTORM_NO_SWA | PAGESTORM_NO_REFUSALS)
#define REFUSES(batch, out, builds) 0
#define RAISE(out, bits) ((void)(out), (void)(bits))
#include "whole.h"
