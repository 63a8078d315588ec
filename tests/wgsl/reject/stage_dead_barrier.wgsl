//! error line 2 E0408
@fragment fn f() { return; workgroupBarrier(); }
