//! error line 7 E0505
fn f(a: bool) {
    loop {
        if a { break; }
        if !a { continue; }
        let x = 1;
        continuing { _ = x; }
    }
}
