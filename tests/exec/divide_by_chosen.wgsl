//! dispatch 3
//! r       u32 96 zeros
//! expect  r == values 1000000 1000000 1000000 1000000 1000000 1000000 1000000 1000000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 1000000 1000000 1000000 1000000 1000000 1000000 1000000 1000000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 40000 1000100 1000100 1000100 1000001 1000001 1000001 30001 30001 30001 30001 30001 30001 30001 30001 30001 30001 30001 30001 30001 30001 30001 30001 30001 30001 30001 30001 30001 30001 30001 30001 30001 30001
// Division by the greater of a number of the workgroup and one of the lane that is known when the code is made, and
// that is 0 in some lanes: these choose the other.
@group(0) @binding(0) var<storage, read_write> r: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let same = (40 * group.x + 1) / 45; // 0, 0, 1
    let own = u32(i32(lane + lane) / 3); // 0 in two lanes
    let by = max(same, own);
    let signed_same = i32(same) - 4;
    let signed_by = min(signed_same, -i32(own));
    r[group.x * 32 + lane] = same % max(by, 1) + 100 * (same / max(by, 1)) +
        10000 * u32(abs(signed_same % signed_by)) + 1000000 * u32(signed_same / signed_by);
}
