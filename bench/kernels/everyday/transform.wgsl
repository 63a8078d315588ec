// y = m * x, 2^16 vectors of four, one an invocation; 1024 workgroups.
@group(0) @binding(0) var<storage, read> x: array<vec4f>;
@group(0) @binding(1) var<uniform> m: mat4x4f;
@group(0) @binding(2) var<storage, read_write> y: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= arrayLength(&y)) {
        return;
    }
    y[id.x] = m * x[id.x];
}
