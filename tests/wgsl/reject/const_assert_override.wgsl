//! error line 3 E0306
override a = true;
const_assert a;
