#!/bin/bash
# Everything that can run on Mesa's software driver, under the validation layers, without a message from them: the
# execution cases, every configuration through `tessera verify`, the examples. What was run, refused and skipped is
# printed. The driver stands in build/testbed (tools/vulkan-testbed puts it there); without it this is skipped.
set -u
: "${TESSERA:?}" "${TSR_BUILD:?}"
run=build/testbed/bin/run
if [ ! -x $run ]; then
    echo "skipped: no build/testbed; tools/vulkan-testbed sets it up"
    exit 77
fi
if [ "${TSR_SANITIZE:-0}" = 1 ]; then
    echo "skipped: the driver's libraries and the sanitizers' do not go together"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 ran=0 refused=0
export TSR_VALIDATE=1 TSR_CACHE=$work/cache
unset TSR_VULKAN
fail() {
    echo "FAIL $1"
    cat "$work/out"
    failed=1
}
silent() {
    if grep -E "^vulkan: |validation layer" "$work/out"; then fail "$1: messages of the validation layers"; fi
}

$run "$TESSERA" devices >"$work/out" 2>&1 || fail "devices"
grep -q "4 configurations of 4 advertised" "$work/out" || fail "devices: four configurations"
silent devices

$run "$TSR_BUILD/exec_runner" --device vulkan:0 tests/exec/*.wgsl >"$work/out" 2>&1 || fail "execution cases"
echo "execution cases: $(tail -n 1 "$work/out")"
silent "execution cases"

$run "$TESSERA" verify --device vulkan:0 --quick --validate >"$work/out" 2>&1 || fail "verify"
echo "verify: $(tail -n 1 "$work/out")"
grep -q "4 configurations advertised, 4 known here: 4 rows conform, 0 fail, 0 refused, 0 not expressed" "$work/out" ||
    fail "verify: every configuration"
silent verify

TSR_TEST_DEVICE=vulkan:0 $run "$TSR_BUILD/unit_api_vulkan" >"$work/out" 2>&1 || fail "threads that share the device"
silent "threads that share the device"

# Random programs: the interpreter, native code and the driver (docs/jit.md).
TSR_TEST_DEVICE=vulkan:0 JIT_PROGRAMS=12 $run "$TSR_BUILD/unit_jit_random" >"$work/out" 2>&1 || fail "random programs"
silent "random programs"

# What the layers say of spoilt code, at its line.
TSR_TEST_DEVICE=vulkan:0 $run "$TSR_BUILD/unit_device_validate" >"$work/out" 2>&1 || fail "spoilt code"

# Examples, their tiles as large as the device's, on data whose sums are exact: the same bits as the interpreter's.
# values TYPE COUNT: 1, 2, ... 5 and again.
values() {
    awk -v t="$1" -v n="$2" 'BEGIN { printf "values:%s:", t; for (i = 0; i < n; i++) printf "%s%d", i ? "," : "", i % 5 + 1 }'
}
example() {
    local name=$1 dispatch=$2 out=$3 where bind
    local options=("$work/$name.wgsl" --dispatch "$dispatch" --subgroup-size 8)
    shift 3
    for bind in "$@"; do options+=(--bind "$bind"); done
    sed -E 's/^const (M|N|K) = [0-9]+u;/const \1 = 8u;/' examples/$name.wgsl >"$work/$name.wgsl"
    for where in cpu:interpreter vulkan:0; do
        $run "$TESSERA" run "${options[@]}" --device $where --out "$out=$work/${where%%:*}.npy" >"$work/out" 2>&1 ||
            { fail "$name on $where"; return; }
        silent "$name on $where"
    done
    cmp "$work/cpu.npy" "$work/vulkan.npy" >"$work/out" 2>&1 || fail "$name: the result differs"
    ran=$((ran + 1))
}
# Those that need what the device lacks are refused, and told why.
refuse() {
    local name=$1 text=$2
    shift 2
    $run "$TESSERA" run examples/$name.wgsl --device vulkan:0 "$@" >"$work/out" 2>&1
    [ $? = 1 ] || fail "$name: not refused"
    grep -qF "$text" "$work/out" || fail "$name: does not say: $text"
    silent "$name"
    refused=$((refused + 1))
}
example gemm_f16 2,2 0,2 0,0="$(values f16 1305)" 0,1="$(values f16 1073)" 0,2=zeros:f32:45x37 0,3=values:u32:45,37,29
example gemm_i8 3,3 0,2 0,0=random:i8:45x29:1 0,1=random:i8:29x37:2 0,2=zeros:i32:45x37 0,3=values:u32:45,37,29
example gemv 3 0,2 0,0="$(values f32 8375)" 0,1="$(values f32 125)" 0,2=zeros:f32:67 0,3=values:u32:67,125
refuse gemm_f32 "(A matrix of 8x8 f32) in any configuration"
refuse attention "(A matrix of 8x8 f32) in any configuration"
refuse gemm_f16 "(A matrix of 16x16 f16) in any configuration"
echo "examples: $ran ran, $refused refused as they must"
[ $((ran + refused - 1)) = "$(ls examples/*.wgsl | wc -l)" ] || { ls examples >"$work/out"; fail "an example is left out"; }
exit $failed
