//! dispatch 1
//! subgroups 32
//! r       u32 32 zeros
//! expect  r == values 0 10001 20002 30003 10001 10001 60006 70007 10001 10001 100010 110011 10001 10001 140014 150015 10001 10001 180018 190019 10001 10001 220022 230023 10001 10001 260026 270027 10001 10001 300030 310031
// Division by what lanes that parted have in common or of their own, all of it known when the code is made; 0 in one lane.
diagnostic(off, subgroup_uniformity);
enable subgroups;
@group(0) @binding(0) var<storage, read_write> r: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) lane: u32) {
    var by = lane;
    if ((lane | 1) % 4 != 1) {
        by = subgroupMax(1u);
    }
    r[lane] = lane / by + 100 * (lane % by) + 10000 * u32(i32(lane) / i32(by)) + 1000000 * u32(i32(lane) % i32(by));
}
