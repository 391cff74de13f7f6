/* Misbehaves: lacks a symbol. */
#define WITHOUT_APPLY
#include "whole.h"
