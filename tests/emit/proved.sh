#!/bin/bash
# The kernels of bench/gemm.c stay inside their arrays, and that is proved: no index is held back, no matrix goes element by
# element. When what the proof needs is taken away, the tests are there again.
. "$(dirname "$0")/lib.sh"
slow='UMin|OpFunctionCall|by_element'

# emit FILE OPTION...: the text, in $work/text
emit() {
    local file=$1
    shift
    "$TESSERA" compile "$file" --to spirv-text -o "$work/text" "$@" >"$work/out" 2>&1 || fail "$file $*: not compiled"
}
proved() {
    emit "$@"
    grep -E "$slow" "$work/text" >"$work/out" && fail "$*: tests that nothing needs"
    [ "$(grep -c CooperativeMatrixLoadKHR "$work/text")" -gt 5 ] || fail "$*: no matrix loads"
}
# unproved FILE SED OPTION...: changed by SED, it must have tests
unproved() {
    local file=$1 change=$2
    shift 2
    sed "$change" "$file" >"$work/changed.wgsl"
    [ -z "$change" ] || ! cmp -s "$file" "$work/changed.wgsl" || fail "$file: \"$change\" changes nothing"
    emit "$work/changed.wgsl" "$@"
    grep -Eq "$slow" "$work/text" || fail "$file, \"$change\" $*: no tests"
}

for file in bench/kernels/gemm_f16_gpu.wgsl bench/kernels/gemm_i8_gpu.wgsl; do
    proved "$file" --subgroup-size 32
    for size in 256 1024 8192; do
        proved "$file" --subgroup-size 32 --set SIZE_M=$size --set SIZE_N=$size --set SIZE_K=$size
    done
    proved "$file" --device profile:nv-h200-580
    unproved "$file" "" # how many subgroups there are
    unproved "$file" "" --subgroup-size 16
    for array in a b c; do
        unproved "$file" "/arrayLength(&$array) </d" --subgroup-size 32
        unproved "$file" "/arrayLength(&$array) </s/\\(SIZE_. \\* [A-Z_]*\\)/\\1 - 1/" --subgroup-size 32
    done
    unproved "$file" "/block >= ACROSS/d" --subgroup-size 32
    unproved "$file" "s/(first + step + 2u) % STEPS/first + step + 2u/" --subgroup-size 32
done

# Offsets and strides that count elements are not multiplied and divided again, unless the product may wrap.
emit bench/kernels/gemm_f16_gpu.wgsl --subgroup-size 32
grep -q 'OpUDiv .*stride' "$work/text" && fail "a stride is divided"
cat >"$work/wrap.wgsl" <<'END'
enable chromium_experimental_subgroup_matrix;
@group(0) @binding(0) var<storage, read> a: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> c: array<vec4<u32>>;
@group(0) @binding(2) var<uniform> at: vec4<u32>;
@compute @workgroup_size(32) fn main() {
    let m = subgroupMatrixLoad<subgroup_matrix_left<u8, 16, 16>, row_major>(&a, at.x LIMIT, 1);
    subgroupMatrixStore<row_major>(&c, 0, m, 1);
}
END
for limit in "" "% 9"; do
    sed "s/LIMIT/$limit/" "$work/wrap.wgsl" >"$work/wrapped.wgsl"
    emit "$work/wrapped.wgsl" --oob unchecked
    divisions=$(grep -c 'OpUDiv' "$work/text")
    if [ -z "$limit" ]; then [ "$divisions" -gt 0 ] || fail "a product that wraps is not divided"
    else [ "$divisions" -eq 0 ] || fail "a product that cannot wrap is divided"; fi
done
[ $failed -eq 0 ]
