// Constants and overrides.
const k = 2u;
override o = 5u;

@compute @workgroup_size(64)
fn main() {
    if k == 2 || o == 3 {
        workgroupBarrier();
    }
}
