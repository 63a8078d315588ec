#!/bin/bash
# Everything that can be missing or fail between tessera and a device: each a clear error that names the step, the exit
# status of docs/design.md, nothing left behind. The driver is tests/vulkan/fake_vulkan.c, which stops the program when
# it is used wrongly or when objects are left; in the testbed it also stands below the real loader.
set -u
: "${TESSERA:?}" "${TSR_BUILD:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 count=0
export TSR_VULKAN=$TSR_BUILD/fake_vulkan.so TSR_CACHE=off
fail() {
    echo "FAIL $1"
    cat "$work/out"
    failed=1
}
# expect STATUS TEXT WORDS COMMAND...: the command's exit status and a text in what it says, on a driver told WORDS.
expect() {
    local status=$1 text=$2 words=$3 got
    shift 3
    count=$((count + 1))
    FAKE_VULKAN=$words ${run:-} "$TESSERA" "$@" >"$work/out" 2>&1
    got=$?
    [ $got = "$status" ] || fail "$words: $*: exit status $got, not $status"
    grep -qF -- "$text" "$work/out" || fail "$words: $*: does not say: $text"
    if grep -q "Sanitizer" "$work/out"; then fail "$words: $*"; fi
}
cat >"$work/plain.wgsl" <<'END'
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { x[id.x] += 1; }
END
cat >"$work/half.wgsl" <<'END'
enable f16;
@group(0) @binding(0) var<storage, read_write> x: array<f16>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { x[id.x] += 1; }
END
cat >"$work/bytes.wgsl" <<'END'
enable chromium_experimental_subgroup_matrix;
@group(0) @binding(0) var<storage, read_write> x: array<i32>;
@group(0) @binding(1) var<storage, read_write> y: array<i32>;
@compute @workgroup_size(64) fn main() {
    let a = subgroupMatrixLoad<subgroup_matrix_left<i8, 32, 16>>(&x, 0, false, 32);
    let b = subgroupMatrixLoad<subgroup_matrix_right<i8, 16, 32>>(&x, 0, false, 16);
    let c = subgroupMatrixMultiply<i32>(a, b);
    subgroupMatrixStore(&y, 0, c, false, 16);
}
END
sed 's/@compute/diagnostic(off, subgroup_uniformity);\n@compute/; s/x\[id.x\] += 1/x[id.x] = subgroupAdd(x[id.x])/; 1i enable subgroups;' \
    "$work/plain.wgsl" | sed '/^diagnostic/d' >"$work/subgroup.wgsl"
plain=(run "$work/plain.wgsl" --device vulkan:0 --bind 0,0=iota:u32:64)
subgroup=(run "$work/subgroup.wgsl" --device vulkan:0 --bind 0,0=iota:u32:64)
half=(run "$work/half.wgsl" --device vulkan:0 --bind 0,0=zeros:f16:64)
bytes=(run "$work/bytes.wgsl" --device vulkan:0 --bind 0,0=zeros:i32:256 --bind 0,1=zeros:i32:256)

# What is there: loader, driver, device.
expect 0 "in 0.005 ms" "" "${plain[@]}"
TSR_VULKAN=$work/none.so expect 3 "TSR_VULKAN names no loader" "" "${plain[@]}"
echo 'not a library' >"$work/text.so"
TSR_VULKAN=$work/text.so expect 3 "TSR_VULKAN names no loader" "" "${plain[@]}"
expect 3 "the loader knows Vulkan 1.2; 1.3 is needed" loader-1.2 "${plain[@]}"
expect 3 "the loader finds no driver" no-driver "${plain[@]}"
expect 3 "out of memory while making an instance" fail-instance "${plain[@]}"
expect 3 "(VK_ERROR_INITIALIZATION_FAILED, -3) while listing devices" fail-list "${plain[@]}"
expect 3 "the driver has no device" no-device "${plain[@]}"
expect 3 "Fake GPU has Vulkan 1.2; 1.3 is needed" device-1.2 "${plain[@]}"
expect 3 "it has no vkCreateQueryPool" no-function "${plain[@]}"
expect 3 "Fake GPU has no compute queue" no-queue "${plain[@]}"
expect 3 "Fake GPU has no Vulkan memory model" no-memory-model "${plain[@]}"
expect 3 "while opening the device" fail-device "${plain[@]}"
expect 3 'no device is "9"; there are 1' "" run "$work/plain.wgsl" --device vulkan:9 --bind 0,0=iota:u32:64
# The list of devices is what is here: the CPU is there in any case.
expect 0 "cpu: " no-driver devices
expect 0 "vulkan:1: Spare GPU" two devices
expect 3 "the loader finds no driver" no-driver devices vulkan:0

# What the device lacks.
expect 0 "1 workgroup" no-matrix "${plain[@]}"
expect 1 "has no" no-matrix "${bytes[@]}"
expect 1 "has no" no-configs "${bytes[@]}"
expect 3 "out of memory while listing matrix configurations" fail-configs "${plain[@]}"
expect 0 "16x16x32 s8*s8+s32->s32" "" "${bytes[@]}"
expect 0 "16x16x32 s8*s8+s32->s32" no-8bit "${bytes[@]}"
expect 1 "has no shaderInt8, which the program needs (capability Int8)" no-int8 "${bytes[@]}"
expect 0 "1 workgroup" "" "${half[@]}"
expect 1 "vulkan:0 has no f16" no-f16 "${half[@]}"
# Maximal reconvergence is turned on where it is, and asked for where subgroup operations are. The fake stops a shader that
# asks for what is not on.
with="with maximal reconvergence" without="without maximal reconvergence"
expect 0 "fake: opened $with" talk "${plain[@]}"
expect 0 "fake: a shader $without" talk "${plain[@]}"
expect 0 "fake: a shader $with" talk "${subgroup[@]}"
for word in no-reconvergence reconvergence-off; do
    expect 0 "fake: opened $without" $word,talk "${subgroup[@]}"
    expect 0 "fake: a shader $without" $word,talk "${subgroup[@]}"
    expect 0 "maximal reconvergence no" $word devices vulkan:0
done
expect 0 "maximal reconvergence yes" "" devices vulkan:0
expect 0 '"maximal_reconvergence": true' "" devices vulkan:0 --json
expect 0 "MaximallyReconvergesKHR" "" compile "$work/subgroup.wgsl" --to spirv-text --device vulkan:0
expect 0 "1 workgroup" no-timestamps "${plain[@]}"
expect 0 "1 workgroup" no-size-control "${plain[@]}"
expect 2 "vulkan:0 has no subgroup size 64; it has 32 alone" no-size-control "${plain[@]}" --subgroup-size 64
expect 2 "vulkan:0 has no subgroup size 8; it has 16 to 64" "" "${plain[@]}" --subgroup-size 8
expect 0 "subgroups of 64" "" "${plain[@]}" --subgroup-size 64

# What it says of itself: unknown numbers are counted and shown where they stand, as text and in a file for --profile.
expect 0 "6 configurations of 10 advertised" unknown devices vulkan:0
for text in "16x16x16 s16*s16+s32->s32 subgroup: not represented: component type s16 is not represented" \
    "16x16x32 type-77*s8+s32->s32 subgroup: not represented: component type-77 is not known" \
    "16x16x16 f16*f16+f32->f32 scope-4: not represented: scope-4 is not known" \
    "multiples of 32x16x16 f16*f16+f32->f32 workgroup, 128 invocations" \
    "multiples of 32x16x32 type-77*s8+s32->s32 workgroup saturating, 256 invocations: not represented" \
    "dimensions yes (at most 1024), workgroup scope yes (at most 256 invocations, 4096 bytes reserved)" \
    "subgroup sizes:  16, 32, 64" "f16 yes, bf16 matrices yes, int8 yes" "subgroup size can be fixed: yes" "3.0 GiB" \
    "bounds checked" "discrete, vulkan-khr, fake driver"; do
    expect 0 "$text" unknown devices vulkan:0
done
expect 0 "f16 no, bf16 matrices no, int8 no; subgroup size can be fixed: no; device timestamps: no" \
    no-f16,no-bf16,no-int8,no-size-control,no-timestamps devices vulkan:0
expect 0 "subgroup sizes:  32" no-size-control devices vulkan:0
if FAKE_VULKAN=no-flexible,no-robust "$TESSERA" devices vulkan:0 | grep -E "flexible|bounds checked"; then
    fail "what the device has not is shown"
fi
FAKE_VULKAN=unknown "$TESSERA" devices vulkan:0 --json >"$work/device.json"
for words in "" unknown no-matrix no-flexible; do
    FAKE_VULKAN=$words "$TESSERA" devices vulkan:0 --json >"$work/one.json"
    expect 0 "Fake GPU" "" devices --profile "$work/one.json"
done
expect 0 "6 of 10" "" devices --profile "$work/device.json"
expect 0 "16x16x16 f16*f16+f32->f32 scope-4: not represented" "" devices vulkan:0 --profile "$work/device.json"
expect 0 '"bf16": false' no-bf16 devices vulkan:0 --json
# The order of the device: numbers 1, 2, 9 and 10 are those that are not kept.
positions=$(awk '/"configurations": \[/ { on = 1; next } on && /^      \]/ { exit }
    on && /"text"/ { n++; printf "%d ", n } on && /^        "/ { n++ }' "$work/device.json")
[ "$positions" = "1 2 9 10 " ] || { echo "$positions" >"$work/out"; fail "positions of what is not kept"; }

# The pipeline cache: found again by the next process; damaged, cut and foreign files are as good as none, and replaced;
# a folder that cannot be written harms nothing. The driver stops the program when it is given what is not its own.
export TSR_CACHE=$work/cache
expect 0 "fake: compiled" talk "${plain[@]}"
expect 0 "fake: found in the cache" talk "${plain[@]}"
expect 0 "fake: compiled" talk "${half[@]}"
expect 0 "fake: found in the cache" talk "${plain[@]}"
expect 0 "fake: found in the cache" talk "${half[@]}"
file=$(ls "$work"/cache/*.pipelines)
[ "$(echo "$file" | wc -w)" = 1 ] || { ls "$work/cache" >"$work/out"; fail "one file for one device"; }
cp "$file" "$work/good"
size=$(wc -c <"$work/good")
for cut in 0 1 31 40 $((size - 8)) $((size - 1)); do
    head -c "$cut" "$work/good" >"$file"
    expect 0 "fake: compiled" talk "${plain[@]}"
    expect 0 "fake: found in the cache" talk "${plain[@]}"
done
for at in 0 8 17 25 33 41 45 49 57 65 73 $((size - 1)); do
    cp "$work/good" "$file"
    printf '\377' | dd of="$file" bs=1 seek="$at" conv=notrunc 2>/dev/null
    cmp -s "$work/good" "$file" || expect 0 "fake: compiled" talk "${plain[@]}"
done
head -c 5000 /dev/urandom >"$file"
expect 0 "fake: compiled" talk "${plain[@]}"
expect 0 "fake: compiled" two,talk run "$work/plain.wgsl" --device vulkan:1 --bind 0,0=iota:u32:64
[ "$(ls "$work"/cache/*.pipelines | wc -l)" = 2 ] || { ls "$work/cache" >"$work/out"; fail "a file for each device"; }
# Another device's file under this one's name.
other=$(ls "$work"/cache/*.pipelines | grep -v "$file")
cp "$other" "$file"
expect 0 "fake: compiled" talk "${plain[@]}"
# Writers at the same time: in the end a whole file.
for i in 1 2 3 4; do
    sed "s/+= 1/+= $i/" "$work/plain.wgsl" >"$work/plain$i.wgsl"
    "$TESSERA" run "$work/plain$i.wgsl" --device vulkan:0 --bind 0,0=iota:u32:64 >/dev/null 2>&1 &
done
wait
expect 0 "1 workgroup" "" "${plain[@]}"
expect 0 "fake: found in the cache" talk "${plain[@]}"
[ -z "$(find "$work/cache" -name '.new-*')" ] || { ls -a "$work/cache" >"$work/out"; fail "unfinished files are left"; }
TSR_CACHE=/proc/nowhere expect 0 "fake: compiled" talk "${plain[@]}"
TSR_CACHE=$work/plain.wgsl expect 0 "fake: compiled" talk "${plain[@]}"
TSR_CACHE=off expect 0 "fake: compiled" talk "${plain[@]}"
expect 3 "the device was lost" lost-wait "${plain[@]}"
unset TSR_CACHE
XDG_CACHE_HOME=$work/xdg expect 0 "fake: compiled" talk "${plain[@]}"
XDG_CACHE_HOME=$work/xdg expect 0 "fake: found in the cache" talk "${plain[@]}"
export TSR_CACHE=off

# Validation: the layer is not there; what it says stands at the program's line and ends the run.
expect 3 "VK_LAYER_KHRONOS_validation, is not installed" "" "${plain[@]}" --validate
expect 2 "cpu has no validation layers" "" run "$work/plain.wgsl" --device cpu --bind 0,0=iota:u32:64 --validate
expect 0 "1 workgroup" layer "${plain[@]}" --validate
export FAKE_VULKAN_TEXT="vkCreateSomething(): something is wrong"
for step in shader pipeline dispatch; do
    expect 1 "plain.wgsl:2:33: error: validation layer: vkCreateSomething(): something is wrong" layer,say-$step \
        "${plain[@]}" --validate
    grep -q '^@compute @workgroup_size(64) fn main' "$work/out" || fail "say-$step: the line is not shown"
done
expect 0 "vulkan: warning: vkCreateSomething(): something is wrong" layer,say-warning "${plain[@]}" --validate
expect 1 "something is wrong" layer,say-shader,refuse "${plain[@]}" --validate
expect 1 "does not take the code" layer,say-shader,refuse "${plain[@]}" --validate
expect 1 "something is wrong" layer,say-dispatch verify --device vulkan:0 --quick --validate
TSR_VALIDATE=1 expect 1 "something is wrong" layer,say-dispatch "${plain[@]}"
expect 0 "1 workgroup" layer,say-dispatch "${plain[@]}"

# What fails on the way.
expect 3 "out of memory while making a buffer of 16777216 bytes" fail-buffer "${plain[@]}"
expect 3 "out of device memory while making a buffer of 16777216 bytes" memory=1000 "${plain[@]}"
expect 3 "out of device memory while making a buffer of 4096000 bytes" memory=17000000 run "$work/plain.wgsl" \
    --device vulkan:0 --bind 0,0=zeros:u32:1024000
expect 1 "vulkan:0 takes at most" "" run "$work/plain.wgsl" --device vulkan:0 --bind 0,0=zeros:u32:300000000
expect 3 "while mapping the staging buffer" fail-map "${plain[@]}"
expect 3 "out of device memory while making a descriptor pool" fail-pool "${plain[@]}"
expect 1 "the driver of Fake GPU does not take the code of \`main\` (VK_ERROR_INVALID_SHADER_NV, -1000012000)" \
    refuse "${plain[@]}"
expect 1 "refused       vulkan: the driver of Fake GPU does not take the code" refuse verify --device vulkan:0 --quick
expect 3 "out of device memory while making the pipeline" oom-pipeline "${plain[@]}"
expect 3 "the device was lost while running the kernel" lost-submit "${plain[@]}"
expect 3 "the device was lost while running the kernel" lost-wait "${plain[@]}"
expect 3 "the device was lost while copying or filling a buffer" lost-copy "${plain[@]}"
expect 1 "the time allowed is over while running the kernel" hang "${plain[@]}" --timeout 0.05
expect 1 "65536 workgroups in x; vulkan:0 takes at most 65535" "" "${plain[@]}" --dispatch 65536
expect 3 "the device was lost" lost-wait verify --device vulkan:0 --quick

# The same below the real loader, which has checks of its own.
start=build/testbed/bin/run
if [ -x $start ] && [ "${TSR_SANITIZE:-0}" != 1 ]; then
    unset TSR_VULKAN
    printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "1.3.0"}}\n' \
        "$(cd "$TSR_BUILD" && pwd)/fake_vulkan.so" >"$work/fake.json"
    # The testbed's run names its own driver.
    sed "s|VK_DRIVER_FILES=\"[^\"]*\"|VK_DRIVER_FILES=\"$work/fake.json\"|; s|VK_ICD_FILENAMES=\"[^\"]*\"|VK_ICD_FILENAMES=\"$work/fake.json\"|" \
        $start >"$work/run"
    chmod +x "$work/run"
    run=$work/run
    expect 0 "in 0.005 ms" "" "${plain[@]}"
    expect 3 "vulkan:" no-driver "${plain[@]}"
    expect 3 "vulkan:" no-device "${plain[@]}"
    expect 3 "while opening the device" fail-device "${plain[@]}"
    expect 1 "does not take the code" refuse "${plain[@]}"
    expect 3 "the device was lost while running the kernel" lost-wait "${plain[@]}"
    expect 0 "vulkan:1: Spare GPU" two devices
    echo '{"file_format_version": "1.0.0", "ICD": {"library_path": "/nowhere.so", "api_version": "1.3.0"}}' >"$work/fake.json"
    expect 3 "the loader finds no driver" "" "${plain[@]}"
else
    echo "without the real loader: no build/testbed, or sanitizers"
fi
echo "$count runs"
exit $failed
