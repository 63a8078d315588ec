//! error line 3 E0221
enable atomic_vec2u_min_max;
var<workgroup> a: atomic<vec2u>;
