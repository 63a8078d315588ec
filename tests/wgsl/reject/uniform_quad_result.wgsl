//! error line 9 E0803 "`quadSwapDiagonal` must only be called"
// And give each its own.
enable subgroups;
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if quadBroadcast(uni, 1) == 0 {
        _ = quadSwapDiagonal(lid);
    }
}
