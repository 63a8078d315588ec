// Memory without a type of its own, seen as a type: the language feature buffer_view.
requires buffer_view;
@group(0) @binding(0) var<storage> input: buffer;
@group(0) @binding(1) var<storage, read_write> output: buffer<256>;
@group(0) @binding(2) var<uniform> settings: buffer<128>;
override tile_bytes: u32;
var<workgroup> tile: buffer<tile_bytes>;
struct pair { a: vec4u, b: vec4f }
struct list { count: u32, items: array<vec4f> }
alias bytes = buffer<64>;
fn sum(p: ptr<storage, buffer>, start: u32) -> f32 {
    let items = bufferArrayView<array<f32>>(p, start, 64);
    return (*items)[0] + items[1] + f32(arrayLength(items));
}
fn last(p: ptr<uniform, array<vec4f>>, q: ptr<workgroup, array<u32>>) -> f32 {
    return p[7].w + f32(q[1]);
}
fn first(p: ptr<uniform, buffer<64>>) -> u32 {
    return *bufferView<u32>(p, 60);
}
fn output_last(x: f32) {
    *bufferView<f32>(&output, 252) = x;
}
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    let read_only: ptr<storage, vec4f> = bufferView<vec4f>(&input, 16);
    let writable: ptr<storage, pair, read_write> = bufferView<pair>(&output, 224);
    writable.b = *read_only;
    *bufferView<u32>(&output, 4 * lid) = bufferLength(&input);
    *bufferView<u32>(&tile, 0) += bufferLength(&settings);
    (*bufferView<array<u32, 4>>(&output, 0))[lid % 4] = 1;
    bufferView<array<u32, 4>>(&output, 0)[1] = 1;
    bufferView<vec4u>(&output, 0).zx = vec2u(2);
    output_last(last(bufferView<array<vec4f>>(&settings, 0), bufferView<array<u32>>(&tile, 0)));
    let all = bufferView<list>(&output, 0);
    all.items[lid] = vec4f(sum(&input, 4 * lid), f32(first(&settings)), 0, 0);
}
