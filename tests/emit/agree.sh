#!/bin/bash
# lavapipe computes what the interpreter computes, bit for bit, in kernels whose results are exact. With TSR_DEVICE=vulkan:0
# the device of that name does it instead, outside of the testbed: a GPU with 16x16 matrices and subgroups of 32.
. "$(dirname "$0")/lib.sh"
device=${TSR_DEVICE:-} size=32 run=
if [ -z "$device" ]; then
    need_testbed
    device=vulkan:0 size=8 run=$testbed/bin/run
fi
if [ "${TSR_SANITIZE:-0}" = 1 ]; then
    echo "skipped: the driver's libraries and the sanitizers' do not go together"
    exit 77
fi
$run "$TESSERA" devices 2>/dev/null | grep -q "^$device: " || {
    echo "skipped: there is no device $device"
    exit 77
}

# agree NAME DISPATCH OUTPUTS BIND...: OUTPUTS are G,B of the buffers to compare.
agree() {
    local name=$1 dispatch=$2 outputs=$3 output where to bind
    shift 3
    local options=(tests/emit/"$name".wgsl --dispatch "$dispatch" --subgroup-size $size)
    for bind in "$@"; do options+=(--bind "$bind"); done
    for where in cpu:interpreter "$device"; do
        to=("${options[@]}" --device "$where")
        for output in $outputs; do to+=(--out "$output=$work/${where%%:*}.$output.npy"); done
        $run "$TESSERA" run "${to[@]}" >"$work/out" 2>&1 || { fail "$name on $where"; return; }
    done
    for output in $outputs; do
        cmp "$work/cpu.$output.npy" "$work/${device%%:*}.$output.npy" >"$work/out" 2>&1 || fail "$name: buffer $output differs"
    done
}

# numbers COUNT: f32=1,f32=2,... up to 7 and again.
numbers() {
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "%sf32=%d", i ? "," : "", i % 7 + 1 }'
}
values() {
    awk -v n="$2" -v t="$1" 'BEGIN { printf "values:%s:", t; for (i = 0; i < n; i++) printf "%s%d", i ? "," : "", i % 5 + 1 }'
}

for elements in 10 39 40 41 64; do
    agree lengths 1 "0,1 0,2" 0,0=iota:u32:$elements 0,1=zeros:u32:192 0,2=iota:u32:$((elements - 4))
done
for seed in 1 2 3; do
    agree numbers_i32 2 0,1 0,0=random:u8:256:$seed 0,1=zeros:i32:20000
    agree numbers_u32 2 0,1 0,0=random:u8:256:$seed 0,1=zeros:u32:20000
    agree control 1 0,1 0,0=random:u32:500:$seed 0,1=zeros:u32:500
    agree memory 1 "0,0 0,2 1,5 1,7 1,8" "0,0=struct:$(numbers 164)" \
        "0,1=struct:u32=$seed,u32=$((seed + 3)),u32=$((seed * 7)),u32=$((seed * 3)),$(numbers 64)" 0,2=iota:f32:60 \
        1,3=iota:u32:24 1,5="$(values f16 240)" 1,7="$(values f32 16)" 1,8="$(values f16 36)"
    agree uniform 1 0,1 "0,0=struct:$(numbers 200)" 0,1=zeros:f32:60 \
        0,2=values:u32:$((seed * 7)),$((seed * 5)),$((seed * 3)),$seed 0,3=values:f32:1,2,3,4
    if [ $size = 32 ]; then
        for elements in 1000 200; do
            agree matrix_bounds_16 1 "0,0 0,1 0,2 0,3 0,5" 0,0=random:f16:$elements:$seed 0,1=iota:u8:$((elements * 2)) \
                0,2=random:u32:$((elements / 2 * 2)):$seed 0,3=random:f32:$((elements * 2)):$seed \
                0,4=values:u32:$((seed * 37)),$((seed * 11)),$((seed * 5)),4 0,5=random:u8:$((elements * 8)):$seed
        done
        continue
    fi
    agree matrix_units 1 "0,1 0,2 0,3" 0,0=random:u8:2400:$seed 0,1=random:u8:2400:4 0,2=random:u8:2400:5 0,3=random:u8:2400:6
    agree matrix_scalar 1 "0,1 0,2 0,3" 0,0=random:i32:64:$seed 0,1=zeros:i32:256 0,2=zeros:u32:128 0,3=zeros:f16:80
    for elements in 600 320 60; do
        agree matrix_bounds 1 "0,0 0,1 0,3 0,4" 0,0=random:f16:$elements:$seed 0,1=iota:u8:$((elements / 8 * 8 + 64)) \
            0,2=zeros:f32:$((elements / 12 * 4 + 4)) 0,3=random:u32:$((elements / 2 * 2)):$seed 0,4=random:f32:$elements:$seed \
            0,5=values:u32:$((seed * 37)),$((seed * 11)),$((seed * 5)),4
    done
done
if [ $size = 32 ]; then agree matrix_arrays_16 1 0,2 "0,0=$(values f16 512)" "0,1=$(values f16 512)" 0,2=zeros:f32:1024
else agree matrix_arrays 1 0,2 "0,0=$(values f16 128)" "0,1=$(values f16 128)" 0,2=zeros:f32:256; fi
[ $failed -eq 0 ]
