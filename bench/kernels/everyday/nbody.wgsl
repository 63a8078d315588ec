// How 2048 bodies (position, mass) accelerate each other, one an invocation; 32 workgroups.
@group(0) @binding(0) var<storage, read> bodies: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> acceleration: array<vec4f>;

const BODIES = 2048u;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let me = bodies[id.x].xyz;
    var sum = vec3f(0);
    for (var j = 0u; j < BODIES; j++) {
        let other = bodies[j];
        let d = other.xyz - me;
        let r = inverseSqrt(dot(d, d) + 0.01);
        sum += d * (other.w * r * r * r);
    }
    acceleration[id.x] = vec4f(sum, 0);
}
