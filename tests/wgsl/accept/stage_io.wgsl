enable f16;
struct VertexIn {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    @builtin(vertex_index) vertex: u32,
    @location(3) joints: vec4<u32>,
    @location(4) weights: vec4<f16>,
    @location(5) tag: i32,
}
struct Instance { @builtin(instance_index) index: u32, @location(8) offset: vec4f, }
struct Varying {
    @builtin(position) @invariant clip: vec4<f32>,
    @location(0) a: f32,
    @location(1) @interpolate(perspective) b: vec2<f32>,
    @location(2) @interpolate(perspective, center) c: vec3<f32>,
    @location(3) @interpolate(perspective, centroid) d: vec4<f32>,
    @location(4) @interpolate(perspective, sample) e: f32,
    @location(5) @interpolate(linear) f: f32,
    @location(6) @interpolate(linear, center) g: f32,
    @location(7) @interpolate(linear, centroid) h: vec2<f16>,
    @location(8) @interpolate(linear, sample) i: f16,
    @location(9) @interpolate(flat) j: u32,
    @interpolate(flat, first) @location(10) k: vec2<i32>,
    @location(11) @interpolate(flat, either) l: f32,
}
struct Targets {
    @location(0) color: vec4f,
    @location(1) id: u32,
    @location(2) motion: vec2i,
    @location(4) half: vec4h,
    @builtin(frag_depth) depth: f32,
    @builtin(sample_mask) mask: u32,
}
@vertex fn vs(in: VertexIn, inst: Instance, @location(9) extra: f32) -> Varying {
    var out: Varying;
    out.clip = vec4(in.position + inst.offset.xyz, extra);
    out.j = in.joints.x + in.vertex + inst.index;
    out.k = vec2(in.tag);
    return out;
}
@vertex fn vs_plain(@builtin(vertex_index) v: u32, @builtin(instance_index) i: u32) -> @invariant @builtin(position) vec4f {
    return vec4f(f32(v), f32(i), 0, 1);
}
@fragment fn fs(in: Varying, @builtin(front_facing) front: bool, @builtin(sample_index) s: u32, @builtin(sample_mask) m: u32) -> Targets {
    return Targets(vec4f(in.a), in.j, in.k, vec4h(in.i), in.clip.z, m & s);
}
@fragment fn fs_plain(@builtin(position) p: vec4f, @location(0) a: f32) -> @location(0) vec4f { return p * a; }
@fragment fn fs_depth() -> @builtin(frag_depth) f32 { return 0.5; }
@fragment fn fs_int(@location(3) @interpolate(flat) a: vec3<u32>) -> @location(7) vec3<u32> { return a; }
@fragment fn fs_nothing() {}
const slot = 2;
@fragment fn fs_slot(@location(slot + 1) a: f32) -> @location(slot) f32 { return a; }
