//! error line 8 E0803 "`quadSwapX` must only be called"
// Quads are parts of a subgroup.
enable subgroups;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if lid == 0 {
        _ = quadSwapX(1u);
    }
}
