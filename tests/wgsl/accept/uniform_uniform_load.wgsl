// One value for all.
var<workgroup> wg: array<u32, 64>;

@compute @workgroup_size(64)
fn main() {
    if workgroupUniformLoad(&wg[3]) == 0 {
        workgroupBarrier();
    }
}
