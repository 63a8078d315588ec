//! error line 2 E0214
@id(65536) override a = 1;
