// gray.wgsl in workgroups of 8, of which a subgroup could hold several; 32768 workgroups.
@group(0) @binding(0) var<storage, read> pixels: array<u32>;
@group(0) @binding(1) var<storage, read_write> gray: array<f32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= arrayLength(&gray)) {
        return;
    }
    let color = unpack4x8unorm(pixels[id.x]);
    gray[id.x] = dot(color.rgb, vec3f(0.2126, 0.7152, 0.0722));
}
