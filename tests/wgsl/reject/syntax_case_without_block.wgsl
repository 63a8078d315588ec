//! error line 3 E0100
fn f() {
    switch 1 { case 1: let x = 1; default { } }
}
