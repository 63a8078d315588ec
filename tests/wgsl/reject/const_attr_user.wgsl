//! error line 2 E0213
@const fn f() {}
