// y = f(x, z), one element an invocation; bench/jit puts each function in the place of this one.
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> z: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let a = x[id.x];
    let r = a + z[id.x]; // room for what is longer
    y[id.x] = r;
}
