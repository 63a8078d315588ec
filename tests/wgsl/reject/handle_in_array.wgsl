//! error line 2 E0216
alias S = array<texture_2d<f32>, 2>;
