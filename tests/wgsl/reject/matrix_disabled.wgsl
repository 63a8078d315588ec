//! error line 2 E0450
var<private> a: subgroup_matrix_left<f32, 8, 8>;
