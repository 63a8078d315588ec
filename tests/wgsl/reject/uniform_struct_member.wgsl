//! error line 11 E0800 "`workgroupBarrier` must only be called"
// A struct is one value.
@group(0) @binding(2) var<uniform> uni: u32;
struct S { a: u32, b: u32 }

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var s = S(uni, 2);
    s.b = lid;
    if s.a == 0 {
        workgroupBarrier();
    }
}
