#!/bin/sh
# Execution cases and `tessera verify` on Mesa's software driver, under the validation layers, without a message from them.
# The driver stands in build/testbed (tools/vulkan-testbed puts it there); without it this is skipped.
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
failed=0
fail() {
    echo "FAIL $1"
    cat "$work/out"
    failed=1
}
TSR_VALIDATE=1
export TSR_VALIDATE
$run "$TESSERA" devices > "$work/out" 2>&1 || fail "devices"
grep -q "4 configurations of 4 advertised" "$work/out" || fail "devices: four configurations"
$run "$TSR_BUILD/exec_runner" --device vulkan:0 tests/exec/*.wgsl > "$work/out" 2>&1 || fail "execution cases"
tail -n 1 "$work/out"
grep "^vulkan: " "$work/out" && fail "messages of the validation layers"
$run "$TESSERA" verify --device vulkan:0 --quick > "$work/out" 2>&1 || fail "verify"
tail -n 1 "$work/out"
grep "^vulkan: " "$work/out" && fail "messages of the validation layers"
exit $failed
