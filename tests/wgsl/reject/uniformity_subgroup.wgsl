//! error line 6 E0803
enable subgroups;
@group(0) @binding(0) var<storage, read_write> f: array<f32>;
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    if i < 16 { f[i] = subgroupAdd(f[i]); }
}
