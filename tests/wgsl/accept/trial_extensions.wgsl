// What browsers try out beside the specification: read and checked, never run.
enable chromium_experimental_framebuffer_fetch, chromium_experimental_barycentric_coord;
enable chromium_internal_input_attachments, chromium_disable_uniformity_analysis;
@group(0) @binding(0) @input_attachment_index(3) var tint_in: input_attachment<f32>;
@group(0) @binding(1) @input_attachment_index(4) var ids: input_attachment<u32>;
@group(0) @binding(2) var texels: texel_buffer<rgba32float, read_write>;
struct In { @location(0) v: f32, @color(1) old: vec4f, }
@fragment
fn fs(in: In, @color(0) before: vec4u, @builtin(barycentric_coord) b: vec3f) -> @location(0) vec4f {
    if in.v > 0.5 { return dpdx(in.old) + vec4f(b, 1); }
    let t: vec4f = inputAttachmentLoad(tint_in);
    let i: vec4u = inputAttachmentLoad(ids) + before;
    textureStore(texels, i.x, textureLoad(texels, 3) + f32(textureDimensions(texels)));
    return t;
}
