#!/bin/bash
# `tessera run` on the CPU: what ran the program, what it became, exact bits, lines for gdb and perf.
. "$(dirname "$0")/lib.sh"
export TSR_CACHE="$work/cache"

arguments=(add.wgsl --bind 0,0=iota:u32:4 --bind 0,1=zeros:u32:4 --out 0,1=o.npy)
expect 0 "run by: interpreter" "$TESSERA" run --device cpu:interpreter "${arguments[@]}"
expect 0 "run by: interpreter" env TSR_JIT=0 "$TESSERA" run --device cpu "${arguments[@]}"
expect 0 "run by: interpreter: TSR_LLVM names no library" env -u TSR_JIT TSR_LLVM=/nonexistent "$TESSERA" run --device cpu "${arguments[@]}"
expect 0 "" "$TESSERA" run --device cpu --dump ir "${arguments[@]}"
check "the IR" grep -q "fn main" main.ir
expect 2 "it must be ir, llvm or asm" "$TESSERA" run --device cpu --dump ir,tree "${arguments[@]}"

# Loops around products are copied out where that is short: not with functions in them, nor with matrices that may leave
# their array.
loop() {
    cat <<WGSL
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> d: array<f32>;
@group(0) @binding(2) var<storage, read_write> e: array<f32>;
var<workgroup> w: array<f32, 4096>;
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) lane: u32) {
    for (var i = lane; i < 4096u; i += 32u) { w[i] = a[i]; }
    workgroupBarrier();
    var sum: subgroup_matrix_result<f32, 8, 8>;
    var x = f32(lane);
    for (var t = 0u; t < 64u; t++) {
        let l = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>>(&$1, t * 8u, false, 64u);
        let r = subgroupMatrixLoad<subgroup_matrix_right<f32, 8, 8>>(&$1, t * 64u, false, 8u);
        sum = subgroupMatrixMultiplyAccumulate(l, r, sum);
        $2
    }
    subgroupMatrixStore(&d, 0, sum, false, 8);
    e[lane] = x;
}
WGSL
}
lines() { # at least, at most, the loop's arguments
    loop "$3" "$4" >loop.wgsl
    expect 0 "" "$TESSERA" compile --to llvm loop.wgsl -o loop.ll
    check "from $1 to $2 lines for a loop over $3 ${4:0:16}" test "$(wc -l <loop.ll)" -ge "$1" -a "$(wc -l <loop.ll)" -le "$2"
}
functions=
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do functions+="x = sin(x) * 0.5 + cos(x + $i.0); "; done
lines 200 1500 w ""
lines 200 5000 a ""
lines 500 6000 w "$functions"
loop w "" >loop.wgsl
"$TESSERA" compile --to llvm loop.wgsl -o loop.ll
check "64 products are one" grep -q "define internal void @tsr_mma_f32_f32_f32_8x8x8_1x1x64_" loop.ll
# What is too long with copies goes without them: 200 such loops, with functions.
loop w "x = sin(x) + cos(x);" >loop.wgsl
start=$(grep -n "for (var t" loop.wgsl | cut -d: -f1)
{
    head -n $((start - 1)) loop.wgsl
    for i in {1..200}; do sed -n "$start,$((start + 5))p" loop.wgsl; done
    tail -n +$((start + 6)) loop.wgsl
} >many.wgsl
expect 0 "" "$TESSERA" compile --to llvm many.wgsl -o many.ll

"$TESSERA" run --device cpu "${arguments[@]}" >/dev/null 2>stderr
if grep -qF "native code, LLVM" stderr; then
    expect 0 "native code from the cache" "$TESSERA" run --device cpu "${arguments[@]}"
    expect 0 "run by: hot native code, LLVM" env TSR_JIT=hot "$TESSERA" run --device cpu "${arguments[@]}"
    expect 0 "run by: hot native code from the cache" "$TESSERA" run --device cpu "${arguments[@]}"
    expect 0 "run by: native code from the cache" env TSR_JIT=first "$TESSERA" run --device cpu "${arguments[@]}"
    rm "$TSR_CACHE"/*.hot
    for object in "$TSR_CACHE"/*.o; do # what is no file there holds nobody up
        rm "$object" && mkfifo "$object"
    done
    expect 0 "native code, LLVM" timeout 60 "$TESSERA" run --device cpu "${arguments[@]}"
    expect 0 "wrote main.s" "$TESSERA" run --device cpu --dump llvm,asm "${arguments[@]}"
    check "the LLVM IR" grep -q "define void @tsr_kernel" main.ll
    check "the machine code" grep -q "tsr_kernel:" main.s
    expect 0 "native code" "$TESSERA" run --device cpu --exact-bits "${arguments[@]}"
    check "result" test "$(tail -c 16 o.npy | od -An -tu4 | xargs)" = "0 1 2 3"

    # Code has fewer lanes than a subgroup where a workgroup needs no more, and only where nobody can tell.
    small() { # the built-in value x, what is stored
        printf '%s\n' "enable subgroups;" "@group(0) @binding(0) var<storage, read_write> d: array<u32>;" \
            "@compute @workgroup_size(6)" "fn main(@builtin($1) x: u32) { d[x % 6u] = $2; }" >small.wgsl
        expect 0 "by: native code" "$TESSERA" run --device cpu --subgroup-size 64 --dump llvm --bind 0,0=zeros:u32:6 --out 0,0=o.npy small.wgsl
    }
    small local_invocation_index "x + 3u"
    check "eight lanes for a workgroup of six" grep -q "tessera: 8 lanes" main.ll
    check "its results" test "$(tail -c 24 o.npy | od -An -tu4 | xargs)" = "3 4 5 6 7 8"
    small subgroup_size x
    check "64 lanes where the size shows" grep -q "tessera: 64 lanes" main.ll
    check "the size that was asked for" test "$(tail -c 24 o.npy | od -An -tu4 | xargs)" = "0 0 0 0 64 0"

    # Zeros keep their signs: which of two a minimum gives is part of the bits.
    cat >zeros.wgsl <<'WGSL'
enable f16;
@group(0) @binding(0) var<storage> x: array<f16>;
@group(0) @binding(1) var<storage, read_write> o: array<vec4h>;
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
    let v = x[i];
    o[i * 2] = vec4h(saturate(v), clamp(v, 0, 1), max(v, 0), max(0, v));
    o[i * 2 + 1] = vec4h(min(v, 0), min(0, v), clamp(v, x[0], x[2]), abs(v) * -x[1]);
}
WGSL
    zeros=(zeros.wgsl --bind 0,0=values:f16:-0,0,1,-1 --bind 0,1=zeros:f16:32)
    expect 0 "native code" "$TESSERA" run --device cpu --exact-bits "${zeros[@]}" --out 0,1=native.npy
    expect 0 "run by: interpreter" "$TESSERA" run --device cpu:interpreter "${zeros[@]}" --out 0,1=meant.npy
    check "the same zeros" cmp native.npy meant.npy

    # The machine code names lines of the text: the store of add.wgsl.
    line=$(grep -n "=.*+" add.wgsl | tail -1 | cut -d: -f1)
    env TSR_PERF=1 bash -c 'echo $$ >pid; exec "$@"' run "$TESSERA" run --device cpu "${arguments[@]}" 2>stderr
    map=/tmp/perf-$(cat pid).map
    check "line $line for perf" grep -q "add.wgsl:$line\$" "$map"
    rm -f "$map"
    if command -v gdb >/dev/null; then
        TSR_GDB=1 timeout 300 gdb -nx -batch -ex 'set breakpoint pending on' -ex "break add.wgsl:$line" -ex run \
            -ex 'info line' --args "$TESSERA" run --device cpu --threads 1 "${arguments[@]}" >gdb.txt 2>&1
        if grep -q "not permitted\|warning: Could not trace" gdb.txt; then
            echo "gdb may not trace here"
        else
            check "gdb stops at line $line" grep -qE "add.wgsl:$line\$|^Line $line of \".*add.wgsl\"" gdb.txt
        fi
    fi
fi

finish
