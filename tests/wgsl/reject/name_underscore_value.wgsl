//! error line 3 E0105
fn f() {
    let a = _;
}
