//! error line 3 E0408
enable subgroups;
@vertex fn f() -> @builtin(position) vec4f { return vec4f(subgroupAdd(1.0)); }
