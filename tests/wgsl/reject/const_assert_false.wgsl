//! error line 2 E0229
const_assert 1 > 2;
