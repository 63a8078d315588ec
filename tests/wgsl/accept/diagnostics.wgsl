diagnostic(off, derivative_uniformity);
diagnostic(warning, subgroup_uniformity,);
diagnostic(off, chromium.subgroup_matrix_uniformity);
diagnostic(info, chromium_experimental.subgroup_matrix_uniformity);
diagnostic(error, subgroup_matrix_uniformity);
enable subgroups;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@diagnostic(off, subgroup_uniformity)
@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    @diagnostic(off, subgroup_uniformity) if id.x > out[0] {
        out[1] = 1;
    }
    @diagnostic(off, subgroup_uniformity) {
        out[2] = subgroupAdd(id.x);
    }
    @diagnostic(off, subgroup_uniformity) for (var i = 0u; i < 3; i++) @diagnostic(off, derivative_uniformity) { out[3] += i; }
    @diagnostic(off, subgroup_uniformity) loop @diagnostic(off, derivative_uniformity) {
        break;
    }
    @diagnostic(off, subgroup_uniformity) while false { }
    @diagnostic(off, subgroup_uniformity) switch id.y @diagnostic(off, derivative_uniformity) { default @diagnostic(off, derivative_uniformity) { } }
}
