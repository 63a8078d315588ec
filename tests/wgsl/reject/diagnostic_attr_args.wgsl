//! error line 2 E0100
diagnostic(off);
