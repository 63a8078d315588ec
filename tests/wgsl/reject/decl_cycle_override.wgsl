//! error line 2 E0201
override a = b * 2;
override b = a;
