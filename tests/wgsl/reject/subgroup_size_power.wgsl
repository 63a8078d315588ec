//! error line 3 E0231
enable subgroups, subgroup_size_control;
@compute @workgroup_size(8) @subgroup_size(7) fn f() {}
