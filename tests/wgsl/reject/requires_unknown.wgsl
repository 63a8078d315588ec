//! error line 2 E0207
requires fancy_things;
