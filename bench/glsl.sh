#!/bin/sh
# The same GEMM in WGSL and in GLSL on one Vulkan device, in one run: how much longer ours takes than glslang's, with and
# without the checks that WGSL wants. Prints a table and writes JSON lines.
#
#   bench/glsl.sh [--out FILE] [--size N] [--device NAME]     default: build/bench_glsl.json, 256, lavapipe in the testbed
set -eu
cd "$(dirname "$0")/.."
build=${TSR_BUILD:-build/release}
out=build/bench_glsl.json device=vulkan:0 size=256 run=
while [ $# -gt 1 ]; do
    case $1 in
    --out) out=$2 ;;
    --size) size=$2 ;;
    --device) device=$2 own=1 ;;
    esac
    shift 2
done
peers=$(tools/peers) || { echo "bench/glsl.sh: glslangValidator cannot be had here"; exit 0; }
if [ -z "${own:-}" ]; then
    testbed=$(tools/vulkan-testbed) || { echo "bench/glsl.sh: lavapipe cannot be had here"; exit 0; }
    run=$testbed/run
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$peers/glslangValidator" -V --target-env vulkan1.3 bench/kernels/gemm_f16_8.comp -o "$work/glsl.spv" > /dev/null
$run "$build/bench/glsl" --device "$device" --size "$size" bench/kernels/gemm_f16_8.wgsl "$work/glsl.spv" > "$work/result"
awk -F'"' 'BEGIN { printf "%-22s %-24s %10s %14s\n", "kernel", "code", "ms", "times glslang" }
    { split($15, ms, "[:,]"); split($19, r, "[:}]"); printf "%-22s %-24s %10.3f %14.3f\n", $4, $12, ms[2], r[2] }' "$work/result"
cat "$work/result" >> "$out"
