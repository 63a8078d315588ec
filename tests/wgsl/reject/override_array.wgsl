//! error line 2 E0226
override a = array(1, 2);
