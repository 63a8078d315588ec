//! error line 2 E0206
@fragment fn f(@builtin(primitive_index) a: u32) {}
