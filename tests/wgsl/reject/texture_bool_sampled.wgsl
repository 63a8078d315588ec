//! error line 2 E0204
alias S = texture_2d<bool>;
