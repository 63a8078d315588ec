// The usual loop on a flag in workgroup memory.
var<workgroup> wg: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    loop {
        wg[lid] = lid;
        if workgroupUniformLoad(&wg[0]) == 1 {
            break;
        }
        workgroupBarrier();
    }
}
