//! error line 3 E0221
fn f() {
    var a: atomic<u32>;
}
