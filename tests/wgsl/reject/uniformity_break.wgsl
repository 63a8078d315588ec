//! error line 7 E0800
@group(0) @binding(0) var<storage, read_write> f: array<f32>;
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    loop {
        if f[i] > 3 { break; }
        workgroupBarrier();
    }
}
