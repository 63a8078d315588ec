// Built-in values that are the same in the whole workgroup.
enable subgroups;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nw: vec3u, @builtin(num_subgroups) ns: u32, @builtin(subgroup_size) ssz: u32) {
    if wid.x + nw.y + ns + ssz == 7 {
        workgroupBarrier();
    }
}
