//! error line 2 E0219
@group(0) @binding(0) var<handle> a: sampler;
