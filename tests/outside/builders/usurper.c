/* Misbehaves: takes the name of a builder that there is already. */
#define NAME "host"
#include "whole.h"
