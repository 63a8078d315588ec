//! error line 3 E0305
// x - y * trunc(x / y): the product overflows.
const a = 1.7976931348623157e308 % 3.0;
