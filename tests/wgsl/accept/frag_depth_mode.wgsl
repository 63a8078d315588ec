// Which way a fragment shader moves the depth: the language feature fragment_depth. The mode is no name of the program.
requires fragment_depth;
const less = 0.5;
struct outputs { @builtin(frag_depth, greater) depth: f32, @location(0) color: vec4f }
@fragment
fn nearer() -> @builtin(frag_depth, less,) f32 {
    return less;
}
@fragment
fn farther() -> outputs {
    return outputs(0.5, vec4f());
}
