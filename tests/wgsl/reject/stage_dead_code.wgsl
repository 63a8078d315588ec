//! error line 2 E0408
@compute @workgroup_size(1) fn f() { return; discard; }
