#!/bin/bash
# `tessera run --sanitize`: exit status, options that cannot be, what is written, and the report as JSON.
. "$(dirname "$0")/lib.sh"

cat >race.wgsl <<'WGSL'
@group(0) @binding(0) var<storage, read_write> c: array<u32>;
var<workgroup> part: array<u32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lane: u32) {
    part[lane] = lane;
    c[lane] = part[63 - lane];
}
WGSL
run() { # run STATUS TEXT OPTIONS...
    expect "$1" "$2" "$TESSERA" run race.wgsl --bind 0,0=zeros:u32:64 "${@:3}"
}

run 0 ""
run 1 "race.wgsl:6:15: warning: this load" --sanitize=all
run 1 "race.wgsl:5:16: note: the other access" --sanitize races
run 0 "sanitizer: 0 faults, 0 notes" --sanitize bounds,strides
run 2 'no check "race"; did you mean races?' --sanitize race
run 2 'no check ""' --sanitize races,
run 2 "it must be zero, clamp or restart" --oob wrap
run 2 "it must be exact or coarse" --extent rough
run 2 "a whole number" --seed x
run 2 "from 0 to 1" --tolerance 2
run 2 "--expect 0,0 is given twice" --expect 0,0=zeros:u32:64 --expect 0,0=zeros:u32:64
run 1 "uses no @group(0) @binding(7)" --expect 0,7=zeros:u32:64
run 1 "needs u32, but this is f32" --expect 0,0=iota:f32:64
run 1 "that is 260 bytes, and the buffer has 256" --expect 0,0=zeros:u32:65
run 1 "is 0 in what is expected, 63 here; 64 elements differ" --expect 0,0=iota:u32:64
run 0 "" --oob restart

# Outputs are written, faults or not.
run 1 "" --sanitize all --out 0,0=o.npy
check "the output" test -s o.npy
check "same as without" "$TESSERA" run race.wgsl --bind 0,0=zeros:u32:64 --expect 0,0=o.npy
expect 1 "nothing would be compared" "$TESSERA" run race.wgsl --bind 0,0=zeros:u32:64 --expect 0,0=bytes:
expect 1 "nothing would be compared" "$TESSERA" run race.wgsl --bind 0,0=zeros:u32:64 --expect 0,0=zeros:u32:0

run 1 "" --sanitize all --json
check "JSON: the finding" grep -q '"number": "S0301"' stdout
check "JSON: its check" grep -q '"check": "races"' stdout
check "JSON: the count of faults" grep -q '"faults": 1' stdout
check "JSON: the other access" grep -q '"other": {' stdout
finish
