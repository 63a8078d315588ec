// A table of textures and samplers, and print: extensions that browsers try out.
enable chromium_experimental_resource_table;
requires chromium_print;
fn load(t: texture_2d<f32>, at: vec2i) -> vec4f {
    return textureLoad(t, at, 0);
}
@fragment
fn main(@builtin(position) at: vec4f, @location(0) @interpolate(flat) which: u32) -> @location(0) vec4f {
    if hasResource<texture_depth_2d>(which) {
        return vec4f(textureLoad(getResource<texture_depth_2d>(which), vec2i(at.xy), 0));
    }
    let t = getResource<texture_2d<f32>>(1);
    print(at.xy);
    print(which);
    return load(t, vec2i(at.xy)) + textureSampleLevel(t, getResource<sampler>(0), at.xy, 0);
}
