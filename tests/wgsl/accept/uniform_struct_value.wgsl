// A new struct of uniform parts.
@group(0) @binding(2) var<uniform> uni: u32;
struct S { a: u32, b: u32 }

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var s = S(lid, 2);
    s = S(uni, 2);
    if s.a == 0 {
        workgroupBarrier();
    }
}
