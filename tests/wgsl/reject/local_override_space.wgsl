//! error line 3 E0516
fn f() {
    var<workgroup> a: i32;
}
