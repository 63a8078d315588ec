//! error line 3 E0305
override a = 1;
override b = a / 0;
