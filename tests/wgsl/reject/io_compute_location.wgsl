//! error line 2 E0234
@compute @workgroup_size(1) fn f(@location(0) a: f32) {}
