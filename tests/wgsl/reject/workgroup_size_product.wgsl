//! error line 2 E0231
@compute @workgroup_size(65536, 65536, 1) fn f() {}
