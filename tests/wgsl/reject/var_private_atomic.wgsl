//! error line 2 E0221
var<private> a: atomic<u32>;
