//! error line 2 E0305
const a = quantizeToF16(65505.0);
