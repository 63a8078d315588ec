fn uses() -> S {
    return S(made(), later);
}
const later = even_later * 2;
fn made() -> array<T, count> {
    return array<T, count>();
}
struct S {
    a: array<T, count>,
    b: i32,
}
alias T = vec4<Scalar>;
alias Scalar = f32;
const count = even_later + 1;
const even_later = 3;
@compute @workgroup_size(size)
fn main() {
    buffer[0] = uses().b + i32(x);
}
override size: u32 = count;
@group(0) @binding(0) var<storage, read_write> buffer: array<i32>;
var<private> x: Scalar;
