#!/usr/bin/env bash
# Everything that needs a GPU, from the root of the repository over a build folder that is already built.
# tools/gpu.sh [BUILD] [--only STEP]    STEP: info check judges readers faults judge-faults reader-faults tests
#                                     streams syncs family family-faults outside exported memcheck racecheck initcheck synccheck
# OUT=DIR keeps the output of each step as DIR/STEP.log. STEP_LIMIT is in seconds. CUPTI=FILE names the library that observes.
# Ends with a table; fails if a step did.
# shellcheck disable=SC2317  # steps are called by name
set -euo pipefail

readonly steps=(info check judges readers faults judge-faults reader-faults tests streams syncs family family-faults outside exported
  memcheck racecheck initcheck synccheck)
# Steps of many processes. They take turns on a device, unless a service lets their work overlap, where the machine has it.
readonly crowded=' check judges readers faults judge-faults reader-faults family family-faults exported '
readonly cuda=(--builder cuda-stream --builder cuda-graph --builder cuda-packed)
readonly family=(--builder cuda-stream --builder cuda-graph)
readonly reading=(--law attention_reads_what_was_written --near)
# What no image shows: a second call, a sync, a cell that keeps a page, and a status word that held something before.
readonly unseen=' stale_page_kept build_rounds_down lengths_read_on_host status_overwritten '
readonly step_limit=${STEP_LIMIT:-400}
readonly fault_limit=60
readonly few=2  # processes of each campaign where many run at once: every one has a context of its own on the device

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
# shellcheck disable=SC2329  # called by the trap
leave() {
  stop_sharing
  rm -rf "$scratch"
}
trap leave EXIT
logs=${OUT:-$scratch/logs}
mkdir -p "$logs"
export PAGESTORM_PROGRAM=$PWD/$pagestorm PAGESTORM_SOURCE=$PWD

# The multi-process service of CUDA, with a folder of its own: it changes nothing for other programs.
share_device() {
  command -v nvidia-cuda-mps-control >/dev/null || return 0
  export CUDA_MPS_PIPE_DIRECTORY=$scratch/mps CUDA_MPS_LOG_DIRECTORY=$scratch/mps
  mkdir -p "$scratch/mps"
  nvidia-cuda-mps-control -d || unset CUDA_MPS_PIPE_DIRECTORY
}
stop_sharing() {
  [[ -n ${CUDA_MPS_PIPE_DIRECTORY:-} ]] || return 0
  echo quit | timeout 20 nvidia-cuda-mps-control >/dev/null 2>&1 || true
  unset CUDA_MPS_PIPE_DIRECTORY
}

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

# Calls FUNCTION with each line of FILE, eight at a time. What each printed comes in the order of the file, and then how many
# of them failed.
each_line() {
  local file=$1 function=$2 line bad=0
  while read -r line; do
    while (($(jobs -rp | wc -l) >= 8)); do wait -n || true; done
    (
      rc=0
      "$function" "$line" </dev/null >"$scratch/said-$line" 2>&1 || rc=$?
      echo "$rc" >"$scratch/rc-$line"
    ) &
  done <"$file"
  wait
  while read -r line; do
    cat "$scratch/said-$line"
    [[ $(<"$scratch/rc-$line") == 0 ]] || bad=$((bad + 1))
  done <"$file"
  echo "$bad of $(wc -l <"$file") failed"
  ((bad == 0)) && [[ -s $file ]]
}

# The same with --near, and then, for those that failed, one at a time with far layouts, which take most of a device.
each_line_near_first() {
  local file=$1 function=$2 line bad=0
  near=(--near)
  each_line "$file" "$function" && return
  near=()
  while read -r line; do
    [[ $(<"$scratch/rc-$line") == 0 ]] || "$function" "$line" </dev/null || bad=1
  done <"$file"
  return "$bad"
}

# A fault that images show is found by both judges, law by law; any other by neither.
judged() {
  local fault=$1 rc=0 wanted=1
  [[ $unseen != *" $fault "* ]] || wanted=0
  within "$fault_limit" "$pagestorm" check --judge both --fault "$fault" --builder cuda-packed --builder cuda-stream "${near[@]}" \
    --cases 3000 --seed 7 --jobs "$few" --out "$scratch/judged-$fault" >"$scratch/judged-$fault.txt" || rc=$?
  grep 'VIOLATED' "$scratch/judged-$fault.txt" || true
  ((rc == wanted)) && ! grep -q judges_agree "$scratch/judged-$fault.txt" && return
  cat "$scratch/judged-$fault.txt"
  echo "fault $fault: exit $rc, not $wanted, or the judges do not agree"
  return 1
}
step_judge-faults() {
  within 60 "$pagestorm" info --builder-faults >"$scratch/faults" || return
  each_line_near_first "$scratch/faults" judged
}

# Both readers on every pass, on images of the host and of the device.
step_readers() {
  within "$step_limit" "$pagestorm" check --reader both "${reading[@]}" --builder host --builder cuda-stream \
    --cases 20000 --seed 5 --jobs 8 --out "$scratch/readers"
}

# A fault that the host's reader finds is found by the device's alone and by both, who say the same; any other by neither,
# which takes far longer to see and is therefore looked at in fewer cases.
misread() {
  local fault=$1 reader rc wanted='' bad=0 cases=3000 said=$scratch/misread-$1.txt
  for reader in host device both; do
    rc=0
    within "$fault_limit" "$pagestorm" check --reader "$reader" --fault "$fault" "${reading[@]}" --builder host \
      --cases "$cases" --seed 7 --jobs "$few" --out "$scratch/misread-$fault" >"$said" || rc=$?
    [[ $reader == host ]] && wanted=$rc
    ((wanted == 1)) || cases=200
    grep 'VIOLATED' "$said" || true
    ((rc == wanted && rc <= 1)) && ! grep -q '^readers_agree is' "$said" && continue
    bad=1
    cat "$said"
    echo "fault $fault, reader $reader: exit $rc, not $wanted, or the readers do not agree"
  done
  ((wanted != 1)) || echo "$fault is misread"
  return "$bad"
}
step_reader-faults() {
  within 60 "$pagestorm" info --flash-faults >"$scratch/flash-faults" || return
  within 60 "$pagestorm" info --faults | grep -vxF -f "$scratch/flash-faults" >"$scratch/faults" || return
  each_line "$scratch/faults" misread || return
  echo "$(grep -lx '.* is misread' "$scratch"/said-* | wc -l) of $(wc -l <"$scratch/faults") faults are misread"
}

found() {
  local fault=$1 rc=0 start=$SECONDS
  within "$fault_limit" "$pagestorm" check --fault "$fault" "${cuda[@]}" "${near[@]}" --cases 20000 --seed 7 \
    --jobs "$few" --out "$scratch/fault-$fault" || rc=$?
  echo "fault $fault: $( ((rc == 1)) && echo found || echo "NOT FOUND, exit $rc"), $((SECONDS - start)) s"
  ((rc == 1))
}
step_faults() {
  within 60 "$pagestorm" info --builder-faults >"$scratch/faults" || return
  each_line_near_first "$scratch/faults" found
}

# Operations of the FlashAttention family: a launch of their own, and captured.
step_family() {
  within "$step_limit" "$pagestorm" check --family flash "${family[@]}" --near --cases 50000 --seed 6 --jobs 8 \
    --out "$scratch/family" || return
  within "$step_limit" "$pagestorm" check --family flash --builder host "${family[@]}" --cases 400 --seed 8 --jobs 2 \
    --out "$scratch/family"
}

bent() {
  local fault=$1 rc=0
  within "$fault_limit" "$pagestorm" check --fault "$fault" "${family[@]}" --near --cases 20000 --seed 7 \
    --jobs "$few" --out "$scratch/family-$fault" || rc=$?
  echo "fault $fault: $( ((rc == 1)) && echo found || echo "NOT FOUND, exit $rc")"
  ((rc == 1))
}
step_family-faults() {
  within 60 "$pagestorm" info --flash-faults >"$scratch/faults" || return
  each_line "$scratch/faults" bent
}

# The same suites as everywhere: with a device, they run on the CUDA builders too.
step_tests() {
  [[ -x $build/tests/props_tests ]] || return 77
  within "$step_limit" "$build/tests/props_tests" </dev/null
}

# Each hazard by its delay, none where the plan is right; two steps, so that a failure costs no more than what it is about.
step_streams() {
  within "$step_limit" "$pagestorm" streams --only hazards --runs 20 || return
  within "$step_limit" "$pagestorm" streams --only plans --placements 1000
}

# The observer: CUPTI of the runtime's version, as the loader finds it, or the first on this machine.
cupti_of() {
  local found=${CUPTI:-} name
  name=libcupti.so.$("$pagestorm" info | sed -n 's/.*, runtime \([0-9]*\)\..*/\1/p')
  [[ -n $found ]] || ldconfig -p | grep -qF "$name " ||
    found=$(find /usr/local /usr/lib /opt -name "$name" 2>/dev/null | head -n 1) || true
  [[ -z $found ]] || printf '%s\n' --cupti "$found"
}

# Declared is what is seen; and a path that is bent to wait is seen to wait.
step_syncs() {
  local -a library
  local rc=0
  mapfile -t library < <(cupti_of)
  within "$step_limit" "$pagestorm" bench syncs "${library[@]}" || return
  within "$step_limit" "$pagestorm" bench syncs "${library[@]}" --fault lengths_read_on_host || rc=$?
  echo "with lengths_read_on_host: exit $rc"
  ((rc == 1))
}

# Builders that misbehave: what each breaks is said, and a campaign of ours beside it is not disturbed.
misbehaves() {
  local file=$1 law=$2 judge=${3:-writes_only_live_cells} name=${1%.*} rc=0 start=$SECONDS
  within "$step_limit" "$pagestorm" check --builder "$scratch/device/$file" --builder cuda-stream --law "$judge" --near --cases 50 --seed 1 \
    --jobs 1 --out "$scratch/outside" >"$scratch/said-$name" || rc=$?
  sed -n '/VIOLATED/,$p' "$scratch/said-$name"
  grep -q "^$law is VIOLATED by $name" "$scratch/said-$name" && grep -q "^$judge  *cuda-stream  .* 0  " "$scratch/said-$name" && ((rc == 1))
  rc=$?
  echo "$name: $( ((rc == 0)) && echo "$law, as it should be" || echo "NOT FOUND"), $((SECONDS - start)) s"
  return "$rc"
}

# Builders of somebody else: the same Triton kernels ahead of time and in a process, whose runs must come to the same; PyTorch.
step_outside() {
  local -a python=(env PYTHONPATH="$PWD/python" python3)
  "${python[@]}" -c 'import torch, triton' 2>/dev/null || return 77
  local kernels=$scratch/triton/builder.toml process="python3 $PWD/examples/triton/as_process.py" builder
  "${python[@]}" examples/triton/export.py "$scratch/triton" || return
  export PYTHONPATH=$PWD/python
  within "$step_limit" "$pagestorm" check --builder "$kernels" --near --cases 2000 --seed 1 --jobs 4 --out "$scratch/outside" || return
  "$pagestorm" draw --cases 60 --seed 2 --near --out "$scratch/drawn" || return
  for builder in "$kernels" "$process"; do
    within "$step_limit" "$pagestorm" replay --hash --builder "$builder" "$scratch"/drawn/*.scenario >"$scratch/replayed" || true
    grep -c '^held' "$scratch/replayed"
    sed -n 's/^run hash \(0x[0-9a-f]*\) .*/\1/p' "$scratch/replayed" >"$scratch/hashes-${builder##*.}"
  done
  cmp "$scratch/hashes-toml" "$scratch/hashes-py" || return
  echo "the same kernels ahead of time and in a process: $(wc -l <"$scratch/hashes-py") runs came to the same"
  for builder in torch_builder triton_builder; do
    within "$step_limit" "$pagestorm" check --builder "python3 $PWD/examples/python/$builder.py" --near --cases 40 --seed 1 --jobs 1 \
      --out "$scratch/outside" || return
  done
  within "$step_limit" "$pagestorm" conform --builder "$kernels" --cases 1000 --out "$scratch/outside" || return
  cp -r tests/outside/device "$scratch/device"
  nvcc -ptx -o "$scratch/device/misbehave.ptx" "$scratch/device/misbehave.cu" || return
  nvcc -shared -Xcompiler -fPIC -Isrc/api -o "$scratch/device/syncs.so" "$scratch/device/syncs.cu" || return
  misbehaves wild.toml does_not_crash && misbehaves endless.toml ends_in_time &&
    misbehaves syncs.so metadata_needs_no_host_sync metadata_needs_no_host_sync
}

# What engines link to, on tensors of a device: under all laws, clause by clause, and the same as the program's own builder.
step_exported() {
  local exported=$build/src/exported/libpagestorm.so builder
  [[ -e $exported ]] || return 77
  export PAGESTORM_DEVICE=cuda
  within "$step_limit" "$pagestorm" check --builder "$exported" --reruns all --near --cases 2000 --seed 1 --jobs 4 --out "$scratch/exported" || return
  within "$step_limit" "$pagestorm" conform --builder "$exported" --cases 1000 --out "$scratch/exported" || return
  "$pagestorm" draw --cases 200 --seed 3 --near --out "$scratch/exported-drawn" || return
  for builder in "$exported" cuda-stream; do
    within "$step_limit" "$pagestorm" replay --hash --builder "$builder" "$scratch"/exported-drawn/*.scenario >"$scratch/replayed" || true
    sed -n 's/^run hash \(0x[0-9a-f]*\) .*/\1/p' "$scratch/replayed" >"$scratch/hashes-${builder##*/}"
  done
  [[ -s $scratch/hashes-cuda-stream ]] && cmp "$scratch/hashes-libpagestorm.so" "$scratch/hashes-cuda-stream" || return
  echo "libpagestorm on device tensors: $(wc -l <"$scratch/hashes-cuda-stream") runs came to what cuda-stream's come to"
}

# Streams run their right plans alone: a tool that takes its time keeps no hazard's delay. Looking for races is far slower than
# all else.
sanitize() {
  local cases=200
  [[ $1 != racecheck ]] || cases=30
  local -a tool=(within "$step_limit" compute-sanitizer --tool "$1" --error-exitcode 9 "$pagestorm")
  local -a checked=(--in-process --cases "$cases" --near --seed 1 --out "$scratch/$1")
  "${tool[@]}" streams --only plans --placements 3 || return
  "${tool[@]}" check --family flash "${family[@]}" "${checked[@]}" || return
  "${tool[@]}" check "${cuda[@]}" "${checked[@]}" || return
  "${tool[@]}" check --judge both --builder cuda-packed "${checked[@]}" || return
  "${tool[@]}" check --reader both "${reading[0]}" "${reading[1]}" --builder host "${checked[@]}"
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
  [[ $crowded != *" $step "* ]] || share_device
  start=$SECONDS rc=0
  "step_$step" 2>&1 | tee "$logs/$step.log" || rc=${PIPESTATUS[0]}
  stop_sharing
  case $rc in
    0) verdict=ok ;;
    77) verdict='skipped: not there' ;;
    124 | 137) verdict='FAILED: out of time' failed=1 ;;
    *) verdict="FAILED: exit $rc" failed=1 ;;
  esac
  table+=("$(printf '%-14s %5d s  %s' "$step" $((SECONDS - start)) "$verdict")")
done

echo "==> summary"
printf '%s\n' "${table[@]}"
exit "$failed"
