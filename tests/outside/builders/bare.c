/* Right in its own way: has no status word, and knows nothing of SWA. */
#define NAME "bare"
#define DECLARE(c) ((c)->without = PAGESTORM_NO_STATUS | PAGESTORM_NO_SWA)
#define RAISE(out, bits) ((void)(out), (void)(bits))
#include "whole.h"
