//! error line 2 E0230
@workgroup_size(1) fn f() { }
