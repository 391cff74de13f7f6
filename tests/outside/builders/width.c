/* Wrong: a row that is cut at the width loses its last column too. */
#define NAME "width"
#define CUT(pages, width) ((pages) <= (width) ? (pages) : (width) > 0 ? (width)-1 : 0)
#include "whole.h"
