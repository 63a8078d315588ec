//! error line 2 E0314
const a = atomic<u32>(1);
