//! error line 2 E0305
const a = bitcast<f32>(0x7fc00000u);
