/* The whole contract: declares nothing. */
#include "whole.h"
