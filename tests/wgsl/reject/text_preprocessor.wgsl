//! error line 2 E0102
#include "common.wgsl"
const a = 1;
