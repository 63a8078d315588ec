#!/bin/bash
# bench/gemm.c checks its kernels: on the CPU with the shapes of an H200, with sums that its numerics give and in f32.
. "$(dirname "$0")/lib.sh"
gemm=${TSR_BUILD:?}/bench/gemm
[ -x "$gemm" ] || { echo "skipped: $gemm is not built"; exit 77; }
"$gemm" --device profile:nv-h200-580 --runs 1 --warm 0 256 >"$work/out" 2>&1 || fail "256 on profile:nv-h200-580"
[ "$(grep -c "ms .* T/s" "$work/out")" = 4 ] || fail "not four kernels"
"$gemm" --device cpu --runs 1 --warm 0 --only "f16*f16" 768 >"$work/out" 2>&1 || fail "768 on cpu"
"$gemm" --device cpu --runs 1 --warm 0 --only i8 --set STAGGER=0 --set BAND=2 512 >"$work/out" 2>&1 || fail "512 on cpu"
"$gemm" --device cpu 100 >"$work/out" 2>&1
[ $? = 2 ] || fail "a size that is no multiple of 256"
[ $failed -eq 0 ]
