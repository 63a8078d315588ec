//! error line 2 E0205
enable fancy_things;
