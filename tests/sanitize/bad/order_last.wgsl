// The last workgroup to come wins.
//! run --bind 0,0=zeros:u32:1 --dispatch 4
//! find S0801
@group(0) @binding(0) var<storage, read_write> last: atomic<u32>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3<u32>) {
    atomicStore(&last, group.x + 1u);
}
