//! error line 2 E0211
@fast var<private> a: i32;
