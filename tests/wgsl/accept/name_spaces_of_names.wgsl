// A member, a parameter, a function and a variable may share a name; a type name may be shadowed inside a function.
struct a { a: i32, b: a_, }
struct a_ { a: f32 }
fn f(a: i32) -> i32 { let b = a; { let a = b + 1; return a; } }
fn g(vec3: f32) -> f32 { let f32 = vec3 * 2; return f32; }
const x = f32(1);
fn i(p: a) -> f32 { return p.b.a + f32(p.a); }
