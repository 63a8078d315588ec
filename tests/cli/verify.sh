#!/bin/sh
# `tessera verify`: the CPU conforms, a profile's list is what is tried, bad arguments are told.
set -u
: "${TESSERA:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
check() { # name, wanted status, wanted text, command...
    name=$1 want=$2 text=$3
    shift 3
    "$@" > "$work/out" 2>&1
    got=$?
    if [ $got -ne "$want" ] || ! grep -qF -e "$text" "$work/out"; then
        echo "FAIL $name: status $got, not $want, or no '$text' in:"
        cat "$work/out"
        failed=1
    fi
}
TSR_JIT=0
export TSR_JIT
check cpu 0 "14 rows conform, 0 fail, 0 refused" "$TESSERA" verify --quick --subgroup-size 8
check profile 0 "11 rows conform, 0 fail, 0 refused" "$TESSERA" verify --quick --device profile:nv-h200-580
check numerics 0 "model reference; rounds to nearest, starts at C" \
    "$TESSERA" verify --quick --config "8x16x16 f16*f16+f32->f32 subgroup" --subgroup-size 4
check misfit 1 "cannot share its matrices evenly" \
    "$TESSERA" verify --config "8x8x8 f32*f32+f32->f32 subgroup" --subgroup-size 128
check scope 1 "not expressed" "$TESSERA" verify --config "16x16x16 f16*f16+f32->f32 workgroup" --subgroup-size 32
check json 0 '"verdict": "conforms"' \
    "$TESSERA" verify --quick --json --config "16x8x32 s8*s8+s32->s32 subgroup" --subgroup-size 16
check bad_config 2 "is no configuration" "$TESSERA" verify --config 8x8
check bad_size 2 "takes a positive number" "$TESSERA" verify --subgroup-size x
check bad_device 3 "no" "$TESSERA" verify --device nothing
check file 2 "takes no file" "$TESSERA" verify kernel.wgsl
exit $failed
