//! error line 2 E0204
alias S = texture_storage_2d<rgba8unorm>;
