enable clip_distances, dual_source_blending, primitive_index;
enable subgroups;
struct Clipped { @builtin(position) pos: vec4f, @builtin(clip_distances) clip: array<f32, 8>, @location(0) v: f32, }
struct Blend { @location(0) @blend_src(0) a: vec4f, @location(0) @blend_src(1) b: vec4f, @builtin(frag_depth) d: f32, }
@vertex fn vs() -> Clipped { var c: Clipped; c.clip[3] = 1.0; return c; }
@fragment fn fs(@builtin(primitive_index) p: u32, @builtin(subgroup_invocation_id) i: u32, @builtin(subgroup_size) n: u32) -> Blend {
    let s = subgroupAdd(f32(p)) + quadSwapX(f32(i)) + f32(n);
    return Blend(vec4f(s), vec4f(subgroupBroadcastFirst(s)), quadBroadcast(s, 2));
}
