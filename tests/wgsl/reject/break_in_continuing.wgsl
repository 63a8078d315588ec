//! error line 3 E0503
fn f() {
    loop { break; continuing { break; } }
}
