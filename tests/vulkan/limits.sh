#!/bin/bash
# What a real driver cannot give: each a clear error and the exit status of docs/design.md; the device goes on.
set -u
: "${TESSERA:?}" "${TSR_BUILD:?}"
run=build/testbed/bin/run
if [ ! -x $run ]; then
    echo "skipped: no build/testbed; tools/vulkan-testbed sets it up"
    exit 77
fi
if [ "${TSR_SANITIZE:-0}" = 1 ]; then
    echo "skipped: the driver's libraries and the sanitizers' do not go together"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 count=0
export TSR_CACHE=$work/cache TSR_VALIDATE=1
unset TSR_VULKAN
# expect STATUS TEXT OPTIONS...: of `tessera run $work/k.wgsl --device vulkan:0 OPTIONS...`.
expect() {
    local status=$1 text=$2 got
    shift 2
    count=$((count + 1))
    timeout 60 $run "$TESSERA" run "$work/k.wgsl" --device vulkan:0 "$@" >"$work/out" 2>&1
    got=$?
    if [ $got != "$status" ] || ! grep -qF -- "$text" "$work/out" || grep -q "validation layer" "$work/out"; then
        echo "FAIL $*: exit status $got, not $status, or it does not say: $text"
        cat "$work/out"
        failed=1
    fi
}
kernel() { cat >"$work/k.wgsl"; }

kernel <<'END'
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3u) { x[id.x] = id.x; }
END
expect 0 "1 workgroup" --bind 0,0=zeros:u32:8
expect 2 "vulkan:0 has no subgroup size 32; it has 8 alone" --bind 0,0=zeros:u32:8 --subgroup-size 32
expect 1 "65536 workgroups in y; vulkan:0 takes at most 65535" --bind 0,0=zeros:u32:8 --dispatch 1,65536
expect 1 "vulkan:0 takes at most" --bind 0,0=zeros:u32:1000000000
expect 0 "0 workgroups" --bind 0,0=zeros:u32:8 --dispatch 0
kernel <<'END'
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(64, 32) fn main(@builtin(local_invocation_index) i: u32) { x[i] = i; }
END
expect 1 "k.wgsl:2:" --bind 0,0=zeros:u32:8
kernel <<'END'
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(2048) fn main(@builtin(local_invocation_index) i: u32) { x[i] = i; }
END
expect 1 "at most 1024" --bind 0,0=zeros:u32:8
kernel <<'END'
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
var<workgroup> w: array<u32, 8193>;
@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) { w[i] = x[i]; workgroupBarrier(); x[i] = w[i + 1]; }
END
expect 1 "32768" --bind 0,0=zeros:u32:8
kernel <<'END'
enable chromium_experimental_subgroup_matrix;
enable f16;
@group(0) @binding(0) var<storage, read_write> x: array<f16>;
@compute @workgroup_size(8) fn main() {
    let a = subgroupMatrixLoad<subgroup_matrix_left<f16, 16, 16>>(&x, 0, false, 16);
    subgroupMatrixStore(&x, 0, a, false, 16);
}
END
expect 1 "(A matrix of 16x16 f16) in any configuration" --bind 0,0=zeros:f16:256
kernel <<'END'
enable subgroups;
enable subgroup_size_control;
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(32) @subgroup_size(32) fn main(@builtin(local_invocation_index) i: u32) { x[i] = subgroupAdd(i); }
END
expect 1 "k.wgsl:4:52: error: \`main\` asks for subgroups of 32, and vulkan:0 runs with 8" --bind 0,0=zeros:u32:32
kernel <<'END'
@group(7) @binding(0) var<storage, read_write> x: array<u32>;
@group(8) @binding(0) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) { x[i] = y[i]; }
END
expect 1 "@group(8): vulkan:0 takes groups 0 to 7" --bind 7,0=zeros:u32:8 --bind 8,0=zeros:u32:8
kernel <<'END'
@group(0) @binding(0) var<uniform> u: array<vec4f, 4096>;
@group(0) @binding(1) var<storage, read_write> x: array<f32>;
@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) { x[i] = u[i].x; }
END
expect 1 "a uniform buffer of 70000 bytes" --bind 0,0=zeros:f32:17500 --bind 0,1=zeros:f32:8
kernel <<'END'
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3u) {
    var i = 0u;
    loop { i += x[id.x]; if (i == 77u) { break; } }
    x[id.x] = i;
}
END
unset TSR_VALIDATE # the layer waits for what does not end
expect 1 "the time allowed is over while running the kernel" --bind 0,0=zeros:u32:8 --timeout 0.3
echo "$count runs"
exit $failed
