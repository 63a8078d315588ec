//! error line 2 E0309
const a = array(1, 2)[2];
