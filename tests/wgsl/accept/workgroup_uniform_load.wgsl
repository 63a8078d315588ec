struct Flags { stop: u32, scale: vec2<f32>, }
var<workgroup> flags: Flags;
var<workgroup> counter: atomic<u32>;
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    if i == 0 { flags = Flags(u32(out[0] > 1), vec2(1, 2)); }
    let f = workgroupUniformLoad(&flags);
    let n = workgroupUniformLoad(&counter);
    if f.stop == 0 && n < 3 {
        workgroupBarrier();
        out[i] = workgroupUniformLoad(&flags.scale).y;
    }
}
