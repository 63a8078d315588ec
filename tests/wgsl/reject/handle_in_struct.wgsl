//! error line 2 E0228
struct S { a: sampler }
