//! error line 2 E0108
;enable f16;
