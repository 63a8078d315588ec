diagnostic(off, derivative_uniformity);
@group(0) @binding(0) var<uniform> limit: vec4f;
@group(0) @binding(1) var<storage, read_write> hits: atomic<u32>;
fn edge(a: f32, b: vec2f, c: vec3f, d: vec4f) -> vec4f {
    let x = dpdx(a) + dpdy(a) + fwidth(a) + dpdxCoarse(a) + dpdyCoarse(a) + fwidthCoarse(a) + dpdxFine(a) + dpdyFine(a) + fwidthFine(a);
    let y = dpdx(b) + dpdy(b) + fwidth(b) + dpdxCoarse(b) + dpdyFine(b);
    let z = dpdx(c) + fwidthFine(c) + dpdyCoarse(c);
    return dpdx(d) + fwidthCoarse(d) + vec4(x, y.x, z.xy) + dpdx(1.0);
}
fn kill(a: f32) { if a < 0.5 { discard; } atomicAdd(&hits, 1); }
@fragment
fn main(@location(0) a: f32, @location(1) v: vec4f) -> @location(0) vec4f {
    kill(a);
    if a > limit.x { discard; }
    for (var i = 0; i < 4; i++) { if v[i] > 2.0 { discard; } }
    return edge(a, v.xy, v.xyz, v);
}
