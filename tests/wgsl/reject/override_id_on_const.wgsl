//! error line 2 E0109
@id(1) const a = 1;
