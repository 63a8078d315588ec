//! error line 3 E0516
fn f() {
    var<private> a: i32;
}
