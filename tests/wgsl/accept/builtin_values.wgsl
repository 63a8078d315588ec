enable subgroups;
requires subgroup_id;
struct In {
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
}
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(64, 1, 1)
fn main(in: In, @builtin(global_invocation_id) gid: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>,
        @builtin(local_invocation_index) index: u32, @builtin(subgroup_id) sg: u32, @builtin(subgroup_size) size: u32,
        @builtin(num_subgroups) count: u32, @builtin(subgroup_invocation_id) lane: u32) {
    out[gid.x] = in.group.x * in.groups.y + lid.x + index + sg * size + count + lane;
}
