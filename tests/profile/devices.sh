#!/usr/bin/env bash
# Devices: the JSON goes round through --profile, devices that are made up behave as they say, bad files are told.
. "$TSR_SOURCE/tests/cli/lib.sh" || exit 3
made=$TSR_SOURCE/tests/profile

# The same bytes after a round trip; a dump of this machine is a profile.
"$TESSERA" devices --all --json > one.json || failures=$((failures + 1))
"$TESSERA" devices --profile one.json --json > two.json || failures=$((failures + 1))
cmp one.json two.json || failures=$((failures + 1))
"$TESSERA" devices cpu --json > cpu.json
expect 0 "" "$TESSERA" run add.wgsl --profile cpu.json --bind 0,0=iota:u32:4 --bind 0,1=zeros:u32:4
grep -q 'profile:cpu' stderr stdout || { echo 'FAIL: the run does not name the profile'; failures=$((failures + 1)); }

# Names, with and without "profile:"; suggestions; who has what.
expect 0 "" "$TESSERA" devices nv-h200-580
grep -q '16x16x16 f16\*f16+f32->f32 subgroup (bounded)' stdout || { echo 'FAIL: no configurations'; failures=1; }
expect 0 "" "$TESSERA" devices profile:lavapipe-26.1
expect 3 'did you mean "lavapipe-26.1"?' "$TESSERA" devices lavapipe-26
expect 0 "" "$TESSERA" devices --with 16x16x16 f16 f32
grep -q '^nv-h200-580 ' stdout || { echo 'FAIL: --with misses nv-h200-580'; failures=$((failures + 1)); }
grep -q '^lavapipe' stdout && { echo 'FAIL: --with finds lavapipe'; failures=$((failures + 1)); }
expect 1 "" "$TESSERA" devices --with 13x13x13
expect 2 "a shape" "$TESSERA" devices --with 16x16
expect 2 "a shape" "$TESSERA" devices --with 16x16x16 f17

# Running in a device's place: configurations, subgroup sizes, limits.
cat > mma.wgsl <<'WGSL'
enable f16;
enable chromium_experimental_subgroup_matrix;
const M = 8u;
const N = 16u;
const K = 32u;
@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read> b: array<f16>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@compute @workgroup_size(32)
fn main() {
    let left = subgroupMatrixLoad<subgroup_matrix_left<f16, K, M>, row_major>(&a, 0, K);
    let right = subgroupMatrixLoad<subgroup_matrix_right<f16, N, K>, row_major>(&b, 0, N);
    subgroupMatrixStore<row_major>(&c, 0, subgroupMatrixMultiply<f32>(left, right), N);
}
WGSL
data="--bind 0,0=random:f16:8x32:1 --bind 0,1=random:f16:32x16:2 --bind 0,2=zeros:f32:8x16"
expect 0 "" "$TESSERA" run mma.wgsl $data --profile "$made/shape_8x16x32.json" --out 0,2=there.npy
expect 0 "" "$TESSERA" run mma.wgsl $data --out 0,2=here.npy
cmp here.npy there.npy || failures=$((failures + 1))
expect 1 "has no" "$TESSERA" run mma.wgsl $data --profile "$made/subgroup_4.json"
expect 1 "has no" "$TESSERA" run mma.wgsl $data --profile "$made/no_configuration.json"
expect 1 "has no" "$TESSERA" run mma.wgsl $data --profile "$made/workgroup_scope.json"
expect 1 "has no" "$TESSERA" run mma.wgsl $data --profile "$made/saturating.json"
expect 2 "has no subgroup size 4" "$TESSERA" run mma.wgsl $data --device profile:nv-h200-580 --subgroup-size 4
expect 3 "which profile" "$TESSERA" run mma.wgsl $data --device profile:
cat > wide.wgsl <<'WGSL'
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(256) fn main(@builtin(local_invocation_index) i: u32) { x[i % 4] = 1; }
WGSL
expect 1 "takes at most 128" "$TESSERA" run wide.wgsl --bind 0,0=zeros:u32:4 --profile "$made/subgroup_4.json"

# The model of the multiply-add that a profile names: sums of f16 kept in f32 are others than those rounded each time.
for model in reference f32-then-round; do
    echo "{\"name\": \"m\", \"support\": \"complete\", \"configurations\": [\"8x16x32 f16*f16+f16->f16 subgroup\"]," \
        "\"subgroup_sizes\": [32], \"f16\": true, \"numerics\": \"$model\"}" > $model.json
done
sed 's/array<f32>/array<f16>/; s/Multiply<f32>/Multiply<f16>/' mma.wgsl > half.wgsl
half="--bind 0,0=random:f16:8x32:1 --bind 0,1=random:f16:32x16:2 --bind 0,2=zeros:f16:8x16"
expect 0 "" "$TESSERA" run half.wgsl $half --profile reference.json --out 0,2=exact.npy
expect 0 "" "$TESSERA" run half.wgsl $half --profile f32-then-round.json --out 0,2=once.npy
cmp -s exact.npy once.npy && { echo 'FAIL: the model of the profile makes no difference'; failures=$((failures + 1)); }
expect 0 "" "$TESSERA" run half.wgsl $half --device cpu:interpreter --out 0,2=plain.npy
cmp exact.npy plain.npy || failures=$((failures + 1))

# What a matrix access outside does is known of some devices alone.
cat > edge.wgsl <<'WGSL'
enable chromium_experimental_subgroup_matrix;
@group(0) @binding(0) var<storage, read_write> x: array<f32>;
@compute @workgroup_size(32) fn main() {
    subgroupMatrixStore(&x, 0, subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&x, 8, false, 8), false, 8);
}
WGSL
for checked in true false null; do
    echo "{\"name\": \"m\", \"support\": \"complete\", \"configurations\": [\"8x8x8 f32*f32+f32->f32 subgroup\"]," \
        "\"subgroup_sizes\": [32], \"bounds_checked\": $checked}" > bounds.json
    expect 0 "1 matrix accesses out of bounds" "$TESSERA" run edge.wgsl --bind 0,0=iota:f32:64 --profile bounds.json
    grep -q 'it may do anything' stderr && said=1 || said=0
    [ $said = "$([ $checked = true ] && echo 0 || echo 1)" ] || {
        echo "FAIL: bounds_checked $checked"
        failures=$((failures + 1))
    }
done

# A device whose rounding was measured: its bits (three tiles: ordinary, wide and subnormal values) are computed in its place.
for type in f32 f16; do
    tiles="--dispatch 3 --bind 0,0=$made/h200/a.npy --bind 0,1=$made/h200/b.npy --bind 0,2=$made/h200/c_$type.npy \
        --bind 0,3=zeros:$type:768 --expect 0,3=$made/h200/r_$type.npy --tolerance 0"
    expect 0 "" "$TESSERA" run "$made/h200/$type.wgsl" $tiles --device profile:nv-h200-580
    expect 1 "S1001" "$TESSERA" run "$made/h200/$type.wgsl" $tiles --device cpu:interpreter
done

# Files that are no profiles: where and what, no crash.
echo '{"name": "x", "support": "complete"' > cut.json
expect 2 "cut.json:2:1: a comma or } was expected" "$TESSERA" run wide.wgsl --bind 0,0=zeros:u32:4 --profile cut.json
expect 1 "cut.json:2:1" "$TESSERA" devices --profile cut.json
echo '{"name": "x", "support": "complete", "configurations": ["8x8 f32"]}' > odd.json
expect 1 "configurations[0]: '8x8 f32' is no configuration" "$TESSERA" devices --profile odd.json
expect 3 "cannot open" "$TESSERA" devices --profile none.json

# Layouts.
expect 0 "" "$TESSERA" layout 8x8x8 f32 f32 --device metal-m1 --svg l.svg
grep -q 'No portable program may rely on this' stdout || { echo 'FAIL: no warning'; failures=$((failures + 1)); }
grep -q '^<svg .*' l.svg && grep -q '^</svg>' l.svg || { echo 'FAIL: no drawing'; failures=$((failures + 1)); }
expect 2 "a device's name is missing" "$TESSERA" devices ''
expect 0 "" "$TESSERA" devices
grep -q '^vulkan:' stdout || { echo 'FAIL: neither a device of Vulkan nor why there is none'; failures=$((failures + 1)); }
expect 0 "" "$TESSERA" devices cpu
grep -q 'subgroup sizes: *32; with --subgroup-size 4, 8, 16, 32, 64 or 128' stdout || { echo 'FAIL: no sizes of cpu'; failures=$((failures + 1)); }
expect 1 "nothing is known" "$TESSERA" layout 16x16x16 f16 f32 --device nv-h200-580
expect 1 "has no configuration" "$TESSERA" layout 16x16x16 f16 f32 --device lavapipe-26.1
expect 2 "--device is missing" "$TESSERA" layout 16x16x16 f16 f32
expect 2 "write the configuration" "$TESSERA" layout 16x16 --device metal-m1
expect 3 "did you mean" "$TESSERA" layout 8x8x8 f32 f32 --device metal-m11
finish
