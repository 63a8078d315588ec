//! error line 8 E0803 "`subgroupOr` must only be called"
// Who is elected differs.
enable subgroups;

@compute @workgroup_size(64)
fn main() {
    if subgroupElect() {
        _ = subgroupOr(1u);
    }
}
