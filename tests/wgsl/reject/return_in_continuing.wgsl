//! error line 3 E0502
fn f() {
    loop { break; continuing { return; } }
}
