//! subgroups 128
//! data u32 1024 iota
//! out u32 8192 marker
//! expect data unchanged
// A subgroup of which a quarter is not there, and conditions that all of it shares around some that lanes know when the code
// is made: LLVM 19 did not come to an end with it (AVX-512). Found by random programs.
diagnostic(off, subgroup_uniformity);
enable subgroups;
@group(0) @binding(0) var<storage, read> data: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
var<workgroup> shared_words: array<u32, 96>;
var<private> kept: u32 = 3u;

fn helper(start: u32, own_in: ptr<function, array<u32, 8>>, lane: u32) -> u32 {
    var u0 = start;
    var u1 = lane;
    var u2 = 5u;
    var f0 = f32(start % 100u);
    var f1 = 0.5;
    var own = *own_in;
    let gid = lane;
    let sub = 1u;
    let group = 2u;
    let local = vec3<u32>(lane, 1u, 0u);

    u0 = select((local.y >> (u32(f0) & 31u)), 4u, (data[u2] % 3u == 0u));
    if ((u1 | 197872670u) % 4u != 1u) {
        if (data[0] % 6u >= 1u) { return u0; }
        switch ((data[u0 % 250u] % bitcast<u32>(bitcast<i32>(local.y) ^ bitcast<i32>(u0))) % 4u) {
        case 0u: {
            own[select(u0, lane, (f1 <= f1)) % 8u] = u2;
        }
        case 1u: {
            f1 = ((f1 * f1) - 14.6);
            u2 = (bitcast<u32>(bitcast<i32>((lane >> (sub & 31u))) & bitcast<i32>(1213873055u)) & local.x);
        }
        default: {
            u2 = local.y;
            u0 = subgroupBroadcastFirst(u1);
            f0 = f1;
            u1 = subgroupBroadcastFirst((local.y % data[0]));
        }
        }
    }
    (*own_in)[u0 % 8u] = u1 + u2 + u32(f0 + f1);
    kept += u1;
    return u0 ^ own[1];
}

@compute @workgroup_size(96, 1)
fn main(@builtin(global_invocation_id) global: vec3<u32>, @builtin(local_invocation_index) lane: u32,
        @builtin(subgroup_id) sub: u32, @builtin(workgroup_id) group3: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let group = group3.x;
    let gid = group * 96u + lane;
    var u0 = lane;
    var u1 = group * 3u;
    var u2 = data[lane];
    var f0 = f32(lane);
    var f1 = 1.25;
    var own: array<u32, 8>;
    f0 = pow(f32(local.x % 1000u), (f0 % f0));
    switch (data[4u + lane * 0u] % 4u) {
    case 0u: {
        switch (((u0 & local.x) << (u0 & 31u)) % 4u) {
        case 0u: {
            switch (own[own[u0 % 8u] % 8u] % 4u) {
            case 0u: {
                f1 = (pow(f1, f1) * (f1 * 6.2));
            }
            case 1u: {
                own[u2 % 8u] = countOneBits((u2 - u1));
            }
            default: {
                f0 = f0;
                u2 = lane;
                u2 = helper(data[5u + lane * 0u], &own, lane);
            }
            }
            own[reverseBits(u1)] = (sub * local.x);
            f1 = ((f0 * 12.4) / (f0 / f1));
            f0 = atan2((f0 % f1), (f1 * f1));
        }
        case 1u: {
            u0 = (data[0] % select(u2, (lane << (local.x & 31u)), (f0 < f0)));
            own[data[4u + lane * 0u] % 11u] = u32(f1);
        }
        default: {
            own[data[7u + lane * 1u] % 11u] = data[0];
            own[own[data[0] % 8u] % 8u] = own[(lane >> (u1 & 31u))];
            u0 = u2;
            f0 = f0;
        }
        }
    }
    case 1u: {
        u0 = subgroupBroadcast((local.y + 43u), 0u);
        u1 = (lane << (u0 & 31u));
    }
    default: {
        u2 = quadSwapX(lane);
        u2 = u32(((f0 - 15.3) / max(f1, f1)));
        u0 = helper(sub, &own, lane);
        u0 = helper((u0 & group), &own, lane);
    }
    }
    out[gid] = u0 ^ (u1 * 3u) ^ (u2 * 5u) ^ (bitcast<u32>(select(f0, 1.0, f0 != f0)) * 7u) ^ bitcast<u32>(select(f1, 2.0, f1 != f1)) ^ own[2] ^ own[5] ^ kept;
}
