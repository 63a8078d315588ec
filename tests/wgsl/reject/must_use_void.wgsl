//! error line 2 E0213
@must_use fn g() { }
