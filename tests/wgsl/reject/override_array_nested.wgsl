//! error line 3 E0216
override n = 4;
alias A = array<array<u32, n>, 2>;
