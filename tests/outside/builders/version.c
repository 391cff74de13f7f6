/* Misbehaves: was compiled for an ABI to come. */
#define VERSION 7
#include "whole.h"
