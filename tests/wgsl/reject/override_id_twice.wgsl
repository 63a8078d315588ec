//! error line 3 E0227
@id(1) override a = 1;
@id(1) override b = 2;
