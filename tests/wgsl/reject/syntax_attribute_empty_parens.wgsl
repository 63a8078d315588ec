//! error line 2 E0100
@compute() @workgroup_size(1) fn f() { }
