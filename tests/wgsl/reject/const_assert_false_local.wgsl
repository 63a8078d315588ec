//! error line 3 E0229
fn f() {
    const_assert false;
}
