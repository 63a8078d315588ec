//! error line 8 E0803 "`subgroupMul` must only be called"
// A running sum as well.
enable subgroups;

@compute @workgroup_size(64)
fn main() {
    if subgroupExclusiveAdd(1u) == 0 {
        _ = subgroupMul(1u);
    }
}
