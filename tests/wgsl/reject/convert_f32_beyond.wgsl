//! error line 2 E0304
const a: f32 = 3.40282350e+38;
