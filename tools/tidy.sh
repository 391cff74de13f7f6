#!/usr/bin/env bash
# tidy.sh BUILD CHECKS FILE: clang-tidy on one file, quiet unless it has something to say. CHECKS are added to .clang-tidy's.
if ! out=$(clang-tidy -p "$1" --checks="$2" --quiet "$3" 2>/dev/null); then
  printf '%s\n' "$out"
  exit 1
fi
printf '  %s\n' "$3"
