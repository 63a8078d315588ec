//! error line 2 E0301
fn f() { let a = workgroupBarrier(); }
