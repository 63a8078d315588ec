// Rotary position embedding, in place: each invocation has its own pair.
//! run --bind 0,0=random:f32:4x32:1 --dispatch 1,4
@group(0) @binding(0) var<storage, read_write> x: array<f32>;

const DIM = 32u;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    let at = id.y * DIM + i;
    let angle = f32(id.y) * pow(10000.0, -2.0 * f32(i) / f32(DIM));
    let lo = x[at];
    let hi = x[at + DIM / 2u];
    x[at] = lo * cos(angle) - hi * sin(angle);
    x[at + DIM / 2u] = lo * sin(angle) + hi * cos(angle);
}
