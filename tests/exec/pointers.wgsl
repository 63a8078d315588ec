//! d       i32 6 marker
//! expect  d == values 11 22 33 7 107 42
@group(0) @binding(0) var<storage, read_write> d: array<i32>;

struct S {
    v: vec3<i32>,
    k: array<i32, 2>,
}

var<private> total = 100i;

fn bump(p: ptr<function, i32>, by: i32) -> i32 {
    *p += by;
    total += *p;
    return *p;
}

fn fill(s: ptr<function, S>) {
    (*s).v = vec3(11, 22, 33);
    s.k[1] = 42;
}

fn add(p: ptr<private, i32>) {
    *p -= 0;
}

@compute @workgroup_size(1)
fn main() {
    var s: S;
    fill(&s);
    let v = &s.v;
    for (var i = 0; i < 3; i++) {
        d[i] = (*v)[i];
    }
    var n = 3;
    d[3] = bump(&n, 4);
    add(&total);
    d[4] = total;
    let k = &s.k[1];
    d[5] = *k;
}
