//! error line 2 E0201
alias A = array<B, 2>;
alias B = A;
