//! error line 3 E0230
enable subgroups, subgroup_size_control;
@fragment @subgroup_size(8) fn f() {}
