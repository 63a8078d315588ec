enable atomic_vec2u_min_max;
struct Cell { best: atomic<vec2u>, other: atomic<u32>, }
@group(0) @binding(0) var<storage, read_write> one: atomic<vec2<u32>>;
@group(0) @binding(1) var<storage, read_write> many: array<Cell>;
@compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) {
    atomicStoreMax(&one, id.xy);
    atomicStoreMin(&many[id.x].best, vec2(1, 2));
    atomicMax(&many[id.x].other, 1);
}
