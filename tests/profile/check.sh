#!/usr/bin/env bash
# check --on: verdicts, exit status, JSON, SARIF, budgets, a kernel whose result depends on the subgroup size.
. "$TSR_SOURCE/tests/cli/lib.sh" || exit 3
made=$TSR_SOURCE/tests/profile
says() { grep -qF -e "$1" stdout || { echo "FAIL: no \"$1\" in:"; head -20 stdout; failures=$((failures + 1)); }; }
says_not() { ! grep -qF -e "$1" stdout || { echo "FAIL: \"$1\" in:"; head -20 stdout; failures=$((failures + 1)); }; }

cat > mma.wgsl <<'WGSL'
enable f16;
enable chromium_experimental_subgroup_matrix;
@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;
@compute @workgroup_size(64)
fn main() {
    let left = subgroupMatrixLoad<subgroup_matrix_left<f16, 16, 16>, row_major>(&a, 0, 16);
    let right = subgroupMatrixLoad<subgroup_matrix_right<f16, 16, 16>, row_major>(&a, 0, 16);
    subgroupMatrixStore<row_major>(&c, 0, subgroupMatrixMultiply<f32>(left, right), 16);
}
WGSL
expect 0 "" "$TESSERA" check mma.wgsl --on nv-h200-580,radv-rx7900xtx
says 'nv-h200-580            runs (subgroup 32)'
says 'radv-rx7900xtx         runs (subgroup 32, 64)'
expect 1 "" "$TESSERA" check mma.wgsl --on nv-h200-580,lavapipe-26.1
says 'mma.wgsl:9:43: E0643: lavapipe-26.1 has no configuration 16x16x16 f16*f16+f32->f32 subgroup; the nearest is 8x8x8 f16*f16+f32->f32 subgroup, which differs in m, n, k'
# What is not known is not refused; --strict makes it a failure.
expect 0 "" "$TESSERA" check mma.wgsl --on metal-m1
says 'unknown'
says_not 'metal-m1               refused'
expect 1 "" "$TESSERA" check mma.wgsl --on metal-m1 --strict
expect 2 'did you mean "metal-m1"?' "$TESSERA" check mma.wgsl --on metal-m7
expect 2 'names no device' "$TESSERA" check mma.wgsl --on ''

# all: devices only.
expect 1 "" "$TESSERA" check mma.wgsl --on all
says 'nv-gh200-565'
says_not 'cuda-'
says_not 'honeykrisp'

# Made-up devices.
expect 1 "" "$TESSERA" check mma.wgsl --profile "$made/no_configuration.json"
says 'made-up-none has no configuration at all'
expect 1 "" "$TESSERA" check mma.wgsl --profile "$made/workgroup_scope.json"
says 'which differs in scope'
expect 1 "" "$TESSERA" check mma.wgsl --profile "$made/saturating.json"
says 'saturation'
expect 0 "" "$TESSERA" check mma.wgsl --profile "$made/subgroup_4.json"
says 'runs (subgroup 4)'
expect 1 "" "$TESSERA" check mma.wgsl --profile "$made/shape_8x16x32.json"
says 'which differs in m, k'
# A record that is not complete, and an invocation limit that is an estimate.
expect 0 "" "$TESSERA" check mma.wgsl --profile "$made/range.json"
says 'is not complete and does not list'

# Rules besides configurations: workgroup x against the largest subgroup size, memory, invocations.
cat > rules.wgsl <<'WGSL'
enable chromium_experimental_subgroup_matrix;
var<workgroup> big: array<f32, 12288>;
@compute @workgroup_size(8, 16)
fn main() {
    let left = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>, row_major>(&big, 0, 8);
    let right = subgroupMatrixLoad<subgroup_matrix_right<f32, 8, 8>, row_major>(&big, 0, 8);
    workgroupBarrier();
    subgroupMatrixStore<row_major>(&big, 0, subgroupMatrixMultiply<f32>(left, right), 8);
}
WGSL
sed -i '1i diagnostic(off, chromium.subgroup_matrix_uniformity);' rules.wgsl
expect 1 "" "$TESSERA" check rules.wgsl --on metal-m1
says 'E0645'
says 'E0672'
# dawn-metal's limits are estimates: a need above them is unknown, and the workgroup size is refused all the same.
expect 1 "" "$TESSERA" check rules.wgsl --on dawn-metal --json
says '"number": 645'
grep -A 2 '"verdict": "unknown"' stdout | grep -q '"number": 672' ||
    { echo 'FAIL: an estimate refuses'; failures=$((failures + 1)); }

# Results that depend on the subgroup size: found by running, with data in the file.
cat > differs.wgsl <<'WGSL'
//! check --bind 0,0=zeros:u32:64
enable subgroups;
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) { x[i] = subgroupAdd(1u); }
WGSL
expect 1 "" "$TESSERA" check differs.wgsl --on nv-h200-580,lavapipe-26.1,radv-rx7900xtx
says 'nv-h200-580            runs (subgroup 32; run and compared at 32)'
says 'differs (subgroup 8; run and compared at 8): with subgroups of 8, 64 words of `x` differ from the reference'
says 'with subgroups of 64, 64 words'
says '1 run, 0 refused, 2 run but differ, 0 unknown'
expect 0 "" "$TESSERA" check differs.wgsl --on radv-rx7900xtx --subgroup-size 32
# Sums in another order are no difference; data from the command line.
sed 's/u32/f32/g; s/1u/f32(i) * 0.1/; 1d; s/local_invocation_index) i: f32/local_invocation_index) i: u32/' differs.wgsl |
    sed 's/x\[i\] = \(.*\);/let s = \1; if (i == 0) { x[0] = s; }/' > sum.wgsl
expect 0 "" "$TESSERA" check sum.wgsl --on nv-h200-580 --bind 0,0=zeros:f32:64
says 'run and compared at 32'

# Matrix accesses out of bounds: told where the device does not promise what happens.
sed '1i //! check --bind 0,0=random:f16:200:1 --bind 0,1=zeros:f32:256' mma.wgsl > edge.wgsl
expect 0 "" "$TESSERA" check edge.wgsl --on nv-h200-580
says 'matrix accesses out of bounds: nothing says what nv-h200-580 does then'
expect 0 "" "$TESSERA" check edge.wgsl --on radv-rx7900xtx
says_not 'out of bounds'

# A kernel for any shape.
{ echo '//! configuration M N K f16*f16+f32->f32'; sed 's/^@group(0) @binding(0)/const M = 16u;\nconst N = 16u;\nconst K = 16u;\n&/; s/left<f16, 16, 16>, row_major>(&a, 0, 16)/left<f16, K, M>, row_major>(\&a, 0, K)/; s/right<f16, 16, 16>, row_major>(&a, 0, 16)/right<f16, N, K>, row_major>(\&a, 0, N)/; s/right), 16)/right), N)/' mma.wgsl; } > any.wgsl
expect 0 "" "$TESSERA" check any.wgsl --on lavapipe-26.1,anv-dg2,nv-h200-580
says 'lavapipe-26.1          runs as 8x8x8'
says 'anv-dg2                runs as 8x8x16'

expect 1 "" "$TESSERA" check differs.wgsl --on lavapipe-26.1 --sarif -
says '"ruleId": "differs"'

# SARIF and JSON are JSON, and name the rule.
expect 1 "" "$TESSERA" check mma.wgsl --on lavapipe-26.1 --sarif out.sarif
grep -q '"version": "2.1.0"' out.sarif && grep -q '"ruleId": "E0643"' out.sarif && grep -q '"startLine": 9' out.sarif ||
    { echo 'FAIL: out.sarif'; failures=$((failures + 1)); }
echo 'fn f() { let x = y; }' > 'a b.wgsl'
expect 1 "" "$TESSERA" check 'a b.wgsl' --sarif -
says '"uri": "a%20b.wgsl"'
says '"level": "error"'
expect 2 "both write to standard output" "$TESSERA" check mma.wgsl --json --sarif -

# Budgets: a 4x4 grid of 8x8 f32 accumulators is 1024 components, 32 a lane.
cat > grid.wgsl <<'WGSL'
enable chromium_experimental_subgroup_matrix;
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;
@compute @workgroup_size(32)
fn main() {
    var sum: array<subgroup_matrix_result<f32, 8, 8>, 16>;
    for (var i = 0u; i < 16; i++) {
        let left = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>, row_major>(&a, i, 8);
        let right = subgroupMatrixLoad<subgroup_matrix_right<f32, 8, 8>, row_major>(&a, i, 8);
        sum[i] = subgroupMatrixMultiplyAccumulate(left, right, sum[i]);
    }
    for (var i = 0u; i < 16; i++) { subgroupMatrixStore<row_major>(&c, i, sum[i], 8); }
}
WGSL
expect 0 "" "$TESSERA" check grid.wgsl --budget --on metal-m1
says 'matrices: 1152 components a subgroup at line 10, 4608 bytes'
says '36 words of matrices an invocation (subgroup 32)'
says_not 'may spill'
sed 's/, 16>;/, 128>;/' grid.wgsl > large.wgsl
expect 0 "" "$TESSERA" check large.wgsl --budget --on metal-m1
says 'may spill registers'
# Of a kernel for any shape: what it takes in the shape that the device gets.
expect 0 "" "$TESSERA" check "$TSR_SOURCE/examples/gemm_f16.wgsl" --budget --on anv-dg2
says '8192 of 65536 bytes, 128 of 1024 invocations, 144 words of matrices an invocation (subgroup 8)'
finish
