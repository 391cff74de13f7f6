#!/usr/bin/env bash
# tidy.sh BUILD FILE: clang-tidy on one file, quiet unless it has something to say.
if ! out=$(clang-tidy -p "$1" --quiet "$2" 2>/dev/null); then
  printf '%s\n' "$out"
  exit 1
fi
printf '  %s\n' "$2"
