// c = a * b, each 512 x 512, one element an invocation; 32 x 32 workgroups.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

const N = 512u;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= N || id.y >= N) {
        return;
    }
    var sum = 0.0;
    for (var k = 0u; k < N; k++) {
        sum += a[id.y * N + k] * b[k * N + id.x];
    }
    c[id.y * N + id.x] = sum;
}
