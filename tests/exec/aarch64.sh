#!/bin/bash
# The execution cases and some unit tests on AArch64: cross-built in build/aarch64 and run under qemu-user. The
# interpreter runs all cases; native code, for which LLVM runs under qemu too and takes seconds a case, as many as fit
# in 40 seconds, in an order chosen by TSR_SEED (printed; the day of the year when it is not set), each in one way of
# those below. TSR_ALL=1 runs each case in each way, which takes half an hour. Objects are kept in build/aarch64 from
# one run to the next, but not from one state of the JIT to another.
#
# Needs what tools/aarch64 sets up, and is skipped without it; with TSR_ALL=1 it sets that up.
: "${TSR_SOURCE:?set TSR_SOURCE to the source folder}"
cd "$TSR_SOURCE" || exit 3
skip() {
    echo "skipped: $1"
    exit 77
}
[ "$(uname -m)" != aarch64 ] || skip "this is an AArch64 machine: the other tests say it"
[ "${TSR_SANITIZE:-0}" = 0 ] && [[ ${CC:-cc} != *clang* ]] || skip "its compiler is its own: the release build asks"
[ -z "${TSR_ALL:-}" ] || tools/aarch64 >/dev/null || exit 77
root=build/aarch64-root build=build/aarch64
[ -e $root/complete ] || skip "tools/aarch64 sets up a compiler and qemu"

units="exec_fiber exec_matrix exec_run"
[ -z "${TSR_ALL:-}" ] || units="$units jit_random"
targets=exec_runner
for unit in $units; do targets="$targets unit_$unit"; done
log=$(mktemp) || exit 3
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086
tools/build aarch64 $targets >"$log" 2>&1 || { tail -n 40 "$log"; exit 1; }

state=$(cat src/exec/jit*.c | cksum | tr ' ' -)
find $build -maxdepth 1 -name 'objects-*' ! -name "objects-$state" -exec rm -rf {} +
export TSR_CACHE=$PWD/$build/objects-$state
unset TSR_JIT TSR_CPU TSR_EXACT_BITS TSR_LLVM
run=$root/bin/run failed=0

# Set variables for `env`: what the emulated processor has, what the code makes of it, and exact bits.
ways=("QEMU_CPU=max" "QEMU_CPU=cortex-a53" "TSR_CPU=neon" "TSR_CPU=plain" "TSR_EXACT_BITS=1"
    "TSR_EXACT_BITS=1 TSR_CPU=plain")
# native WAY FILE: the case as native code; what went to the interpreter for want of a libLLVM is a failure.
native() {
    local said status
    # shellcheck disable=SC2086
    said=$(env $1 TSR_JIT=1 $run $build/exec_runner --device cpu "$2" 2>&1) && [[ $said != *libLLVM* ]]
    status=$?
    [ $status = 0 ] || printf 'FAIL %s (%s)\n%s\n' "$2" "$1" "$said"
    return $status
}
fail() { failed=$((failed + 1)); }

$run $build/exec_runner --device cpu:interpreter tests/exec/*.wgsl || fail
for unit in $units; do
    $run $build/unit_"$unit" >"$log" 2>&1 || { cat "$log"; fail; }
done

if [ -n "${TSR_ALL:-}" ]; then
    export -f native
    export run build
    for way in "${ways[@]}"; do
        printf '%s\0' tests/exec/*.wgsl |
            xargs -0 -P "$(nproc 2>/dev/null || echo 2)" -I {} bash -c 'native "$@"' native "$way" {} || fail
    done
    [ $failed = 0 ] && echo "each case, native in ${#ways[@]} ways"
else
    seed=${TSR_SEED:-$(date +%-j)} ran=0 all=$(ls tests/exec/*.wgsl | wc -l) until=$(($(date +%s) + 40))
    for file in $(ls tests/exec/*.wgsl | awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand(), $1 }' | sort |
        cut -d' ' -f2); do
        [ "$(date +%s)" -lt $until ] || break
        native "${ways[(seed + ran) % ${#ways[@]}]}" "$file" || fail
        ran=$((ran + 1))
    done
    echo "$ran of $all cases ran as native code, TSR_SEED=$seed; TSR_ALL=1 runs all in each way"
fi
[ $failed = 0 ]
