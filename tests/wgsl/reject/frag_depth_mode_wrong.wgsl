//! error line 5 E0214 "`less` or `greater`"
//! error line 9 E0214 "second argument"
//! error line 10 E0214
@fragment
fn wrong_mode() -> @builtin(frag_depth, equal) f32 {
    return 0.5;
}
@fragment
fn wrong_value(@builtin(position, less) at: vec4f) {}
@fragment fn too_many() -> @builtin(frag_depth, less, greater) f32 { return 0.5; }
