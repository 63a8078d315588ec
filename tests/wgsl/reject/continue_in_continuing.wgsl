//! error line 3 E0504
fn f() {
    loop { break; continuing { continue; } }
}
