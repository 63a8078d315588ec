//! subgroups 4 8 32 64
//! want u32 64 values 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2
//! all u32 64 marker
//! part u32 64 marker
//! none u32 64 marker
//! expect all == want
//! expect none == values 1
//! expect part == values 1 1 2 2 1 1 2 2 1 1 2 2 1 1 2 2 1 1 2 2 1 1 2 2 1 1 2 2 1 1 2 2 1 1 2 2 1 1 2 2 1 1 2 2 1 1 2 2 1 1 2 2 1 1 2 2 1 1 2 2 1 1 2 2
// A bit of the lane's number, shifted to the sign and compared with 0: lanes that span all of 2^32 do not compare alike as
// signed numbers, and do as unsigned ones.
enable subgroups;
@group(0) @binding(1) var<storage, read_write> all_: array<u32>;
@group(0) @binding(2) var<storage, read_write> part: array<u32>;
@group(0) @binding(3) var<storage, read_write> none: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32, @builtin(subgroup_invocation_id) lane: u32) {
    var a = 1u;
    var b = 1u;
    var c = 1u;
    if (i32(i << 27) < 0) {
        a = 2;
    }
    if (0 > bitcast<i32>(lane * 1073741824u)) {
        b = 2;
    }
    if ((lane << 27) < 0u) {
        c = 2;
    }
    all_[i] = a;
    part[i] = b;
    none[i] = c;
}
