requires pointer_composite_access, unrestricted_pointer_parameters;
struct S { a: array<vec4<f32>, 4>, n: u32, }
var<private> state: S;
var<workgroup> shared_: array<f32, 64>;
@group(0) @binding(0) var<storage, read_write> buf: array<f32>;
fn bump(p: ptr<function, u32>, by: u32) { *p += by; }
fn fill(p: ptr<private, S>, x: f32) {
    (*p).n = 3;
    p.n++;
    p.a[1] = vec4(x);
    p.a[2].y = x;
    let q = &(*p).a;
    (*q)[0] = vec4(x);
    q[3] = q[0];
}
fn read(p: ptr<workgroup, array<f32, 64>>, i: u32) -> f32 { return (*p)[i] + p[i + 1]; }
fn write(p: ptr<storage, array<f32>, read_write>, i: u32, x: f32) { (*p)[i] = x; }
fn inc(p: ptr<function, i32>) -> i32 { *p = *p + 1; return *p; }
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
    var n = 1u;
    let pn = &n;
    bump(pn, 2);
    bump(&n, *pn);
    fill(&state, f32(n));
    shared_[i] = state.a[1].x;
    workgroupBarrier();
    write(&buf, i, read(&shared_, i & 31));
    var arr = array<i32, 3>(1, 2, 3);
    let pe = &arr[1];
    *pe = 5;
    _ = inc(pe);
    _ = inc(&arr[2]);
    let whole = &buf;
    (*whole)[i] += 1;
    *&n = 2;
}
