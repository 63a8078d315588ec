// A 3 x 3 filter over an image of 1024 x 1024, whose border stays as it is; 64 x 64 workgroups.
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read> weights: array<f32, 9>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

const WIDTH = 1024u;
const HEIGHT = 1024u;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < 1u || id.y < 1u || id.x >= WIDTH - 1u || id.y >= HEIGHT - 1u) {
        return;
    }
    var sum = 0.0;
    for (var j = 0u; j < 3u; j++) {
        for (var i = 0u; i < 3u; i++) {
            sum += weights[j * 3u + i] * image[(id.y + j - 1u) * WIDTH + id.x + i - 1u];
        }
    }
    out[id.y * WIDTH + id.x] = sum;
}
