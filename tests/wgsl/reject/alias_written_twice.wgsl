//! error line 3 E0244
fn g(p: ptr<function, i32>, q: ptr<function, i32>) { *p = *q; }
fn f() { var a = array(1, 2); g(&a[0], &a[1]); }
