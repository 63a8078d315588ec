// One expression is one type, under a name or as the name of an override.
override n: u32;
alias Tile = array<u32, n + 1>;
var<workgroup> a: Tile;
var<workgroup> b: array<u32, n>;
fn f(p: ptr<workgroup, Tile>) { (*p)[0] = 1; }
fn g(p: ptr<workgroup, array<u32, n>>) { (*p)[0] = 1; }
@compute @workgroup_size(1) fn main() {
    f(&a);
    g(&b);
}
