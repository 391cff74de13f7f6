#!/usr/bin/env bash
# Everything that needs a GPU, from the root of the repository over a build folder that is already built.
# tools/gpu.sh [BUILD] [--only STEP]    STEP: info check judges readers faults judge-faults reader-faults tests
#                                     family family-faults memcheck racecheck initcheck synccheck
# OUT=DIR keeps the output of each step as DIR/STEP.log. STEP_LIMIT is in seconds. Ends with a table; fails if a step did.
# shellcheck disable=SC2317  # steps are called by name
set -euo pipefail

readonly steps=(info check judges readers faults judge-faults reader-faults tests family family-faults memcheck racecheck initcheck
  synccheck)
readonly cuda=(--builder cuda-stream --builder cuda-graph --builder cuda-packed)
readonly family=(--builder cuda-stream --builder cuda-graph)
readonly reading=(--law attention_reads_what_was_written --near)
# What no image shows: a second call, a sync, and a cell that keeps a page.
readonly unseen=' stale_page_kept build_rounds_down lengths_read_on_host '
readonly step_limit=${STEP_LIMIT:-400}
readonly fault_limit=60

die() {
  echo "gpu.sh: $*" >&2
  exit 2
}

build='build-gpu'
only=
while (($# > 0)); do
  case $1 in
    --only) (($# > 1)) || die "--only: names no step; use one of: ${steps[*]}"; only=$2; shift 2 ;;
    -*) die "$1: no such option; use [BUILD] [--only STEP]" ;;
    *) build=$1; shift ;;
  esac
done
[[ -z $only || " ${steps[*]} " == *" $only "* ]] || die "--only: there is no step '$only'; use one of: ${steps[*]}"
readonly pagestorm=$build/pagestorm
[[ -x $pagestorm ]] || die "$pagestorm: was not built; use ./dev gpu --build"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
logs=${OUT:-$scratch/logs}
mkdir -p "$logs"
export PAGESTORM_PROGRAM=$PWD/$pagestorm PAGESTORM_SOURCE=$PWD

# Runs a command for at most that many seconds, so that a hang costs one step and not all that follow.
within() {
  local limit=$1
  shift
  timeout --kill-after=10 "$limit" "$@"
}

step_info() {
  nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader || echo "nvidia-smi does not answer"
  within 60 "$pagestorm" info
}

step_check() {
  local rc=0
  within "$step_limit" "$pagestorm" check "${cuda[@]}" --cases 10000 --seed 1 --out "$scratch/check" || rc=$?
  # Scratch is gone when the machine is: a failure goes into the log.
  [[ ! -d $scratch/check ]] || find "$scratch/check" -type f -size -64k -exec tail -n +1 -v {} +
  return "$rc"
}

# Both judges on the images of every step. Far layouts need most of the memory of a device: one process alone has them.
step_judges() {
  within "$step_limit" "$pagestorm" check --judge both --builder cuda-packed --cases 100000 --seed 2 --near --jobs 8 \
    --out "$scratch/judges" || return
  within "$step_limit" "$pagestorm" check --judge both "${cuda[@]}" --cases 2000 --seed 3 --out "$scratch/judges" || return
  within "$step_limit" "$pagestorm" check --judge device --builder cuda-packed --builder cuda-stream --cases 20000 \
    --seed 4 --out "$scratch/judges"
}

# A fault that images show is found by both judges, law by law; any other by neither.
step_judge-faults() {
  local fault rc wanted wrong=0 count=0
  within 60 "$pagestorm" info --builder-faults >"$scratch/faults" || return
  while read -r fault; do
    rc=0 wanted=1 count=$((count + 1))
    [[ $unseen != *" $fault "* ]] || wanted=0
    within "$fault_limit" "$pagestorm" check --judge both --fault "$fault" --builder cuda-packed --builder cuda-stream \
      --cases 3000 --seed 7 --out "$scratch/judged-$fault" </dev/null >"$scratch/judged" || rc=$?
    grep 'VIOLATED' "$scratch/judged" || true
    if ((rc != wanted)) || grep -q judges_agree "$scratch/judged"; then
      wrong=$((wrong + 1))
      cat "$scratch/judged"
      echo "fault $fault: exit $rc, not $wanted, or the judges do not agree"
    fi
  done <"$scratch/faults"
  echo "$((count - wrong)) of $count faults judged as they must be"
  ((count > 0 && wrong == 0))
}

# Both readers on every pass, on images of the host and of the device.
step_readers() {
  within "$step_limit" "$pagestorm" check --reader both "${reading[@]}" --builder host --builder cuda-stream \
    --cases 20000 --seed 5 --jobs 8 --out "$scratch/readers"
}

# A fault that the host's reader finds is found by the device's alone and by both, who say the same; any other by neither.
step_reader-faults() {
  local fault reader rc wanted wrong=0 found=0 count=0
  within 60 "$pagestorm" info --flash-faults >"$scratch/flash-faults" || return
  within 60 "$pagestorm" info --faults | grep -vxF -f "$scratch/flash-faults" >"$scratch/faults" || return
  while read -r fault; do
    wanted='' count=$((count + 1))
    for reader in host device both; do
      rc=0
      within "$fault_limit" "$pagestorm" check --reader "$reader" --fault "$fault" "${reading[@]}" --builder host \
        --cases 3000 --seed 7 --out "$scratch/read-$fault" </dev/null >"$scratch/read" || rc=$?
      [[ $reader == host ]] && wanted=$rc
      grep 'VIOLATED' "$scratch/read" || true
      ((rc == wanted && rc <= 1)) && ! grep -q '^readers_agree is' "$scratch/read" && continue
      wrong=$((wrong + 1))
      cat "$scratch/read"
      echo "fault $fault, reader $reader: exit $rc, not $wanted, or the readers do not agree"
    done
    ((wanted != 1)) || found=$((found + 1))
  done <"$scratch/faults"
  echo "$found of $count faults misread, $wrong of them wrongly"
  ((found > 0 && wrong == 0))
}

step_faults() {
  local fault rc start missed=0 count=0
  within 60 "$pagestorm" info --builder-faults >"$scratch/faults" || return
  while read -r fault; do
    rc=0 start=$SECONDS count=$((count + 1))
    within "$fault_limit" "$pagestorm" check --fault "$fault" "${cuda[@]}" --cases 20000 --seed 7 \
      --out "$scratch/fault-$fault" </dev/null || rc=$?
    ((rc == 1)) || missed=$((missed + 1))
    echo "fault $fault: $( ((rc == 1)) && echo found || echo "NOT FOUND, exit $rc"), $((SECONDS - start)) s"
  done <"$scratch/faults"
  echo "$((count - missed)) of $count faults found"
  ((count > 0 && missed == 0))
}

# Operations of the FlashAttention family: a launch of their own, and captured.
step_family() {
  within "$step_limit" "$pagestorm" check --family flash --builder host "${family[@]}" --cases 5000 --seed 6 \
    --out "$scratch/family"
}

step_family-faults() {
  local fault rc missed=0 count=0
  within 60 "$pagestorm" info --flash-faults >"$scratch/faults" || return
  while read -r fault; do
    rc=0 count=$((count + 1))
    within "$fault_limit" "$pagestorm" check --fault "$fault" "${family[@]}" --cases 20000 --seed 7 \
      --out "$scratch/family-$fault" </dev/null || rc=$?
    ((rc == 1)) || missed=$((missed + 1))
    echo "fault $fault: $( ((rc == 1)) && echo found || echo "NOT FOUND, exit $rc")"
  done <"$scratch/faults"
  echo "$((count - missed)) of $count faults found"
  ((count > 0 && missed == 0))
}

# The same suites as everywhere: with a device, they run on the CUDA builders too.
step_tests() {
  [[ -x $build/tests/props_tests ]] || return 77
  within "$step_limit" "$build/tests/props_tests" </dev/null
}

sanitize() {
  within "$step_limit" compute-sanitizer --tool "$1" --error-exitcode 9 \
    "$pagestorm" check --family flash "${family[@]}" --in-process --cases 100 --near --seed 1 --out "$scratch/$1" || return
  within "$step_limit" compute-sanitizer --tool "$1" --error-exitcode 9 \
    "$pagestorm" check "${cuda[@]}" --in-process --cases 200 --near --seed 1 --out "$scratch/$1" || return
  within "$step_limit" compute-sanitizer --tool "$1" --error-exitcode 9 \
    "$pagestorm" check --judge both --builder cuda-packed --in-process --cases 200 --near --seed 1 --out "$scratch/$1" || return
  within "$step_limit" compute-sanitizer --tool "$1" --error-exitcode 9 \
    "$pagestorm" check --reader both "${reading[@]}" --builder host --in-process --cases 200 --seed 1 --out "$scratch/$1"
}
step_memcheck() { sanitize memcheck; }
step_racecheck() { sanitize racecheck; }
step_initcheck() { sanitize initcheck; }
step_synccheck() { sanitize synccheck; }

failed=0
table=()
for step in "${steps[@]}"; do
  [[ -z $only || $only == "$step" ]] || continue
  echo "==> $step"
  start=$SECONDS rc=0
  "step_$step" 2>&1 | tee "$logs/$step.log" || rc=${PIPESTATUS[0]}
  case $rc in
    0) verdict=ok ;;
    77) verdict='skipped: none built' ;;
    124 | 137) verdict='FAILED: out of time' failed=1 ;;
    *) verdict="FAILED: exit $rc" failed=1 ;;
  esac
  table+=("$(printf '%-14s %5d s  %s' "$step" $((SECONDS - start)) "$verdict")")
done

echo "==> summary"
printf '%s\n' "${table[@]}"
exit "$failed"
