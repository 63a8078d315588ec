//! error line 2 E0303
const_assert 1;
