//! error line 2 E0305
const a = pack2x16float(vec2(65505.0, 1));
