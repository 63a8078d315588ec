//! subgroups all
//! d u32 24 marker
//! shared_words u32 14 values 5 5 4294967295 0 0 4294967295 0 2147483647 2147483648 0 0 0 0 0
//! expect d == values 9266 4294958040 4293918720 2147483647 1851458831 56502658 4260046087 2175734977 2084311110 77 1 861 9266 4294958040 4293918720 2147483647 1851458831 56502658 4260046087 2175734977 2084311110 77 1 861
// Every atomic on workgroup memory, which a thread of a CPU has for itself, and the same on a buffer; by some of the lanes.
struct Words {
    add: atomic<u32>,
    sub: atomic<u32>,
    both: atomic<u32>,
    either: atomic<u32>,
    one: atomic<u32>,
    least: atomic<u32>,
    most: atomic<u32>,
    least_signed: atomic<i32>,
    most_signed: atomic<i32>,
    exchanged: atomic<u32>,
    compared: atomic<u32>,
    winners: atomic<u32>,
    olds: atomic<u32>,
    count: atomic<u32>,
}

@group(0) @binding(0) var<storage, read_write> d: array<u32, 24>;
@group(0) @binding(1) var<storage, read_write> shared_words: Words;
var<workgroup> own: Words;

fn try_once_own(i: u32) -> bool {
    for (;;) {
        let r = atomicCompareExchangeWeak(&own.compared, 0u, i);
        if (r.exchanged || r.old_value != 0u) {
            return r.exchanged;
        }
    }
}

fn try_once_shared(i: u32) -> bool {
    for (;;) {
        let r = atomicCompareExchangeWeak(&shared_words.compared, 0u, i);
        if (r.exchanged || r.old_value != 0u) {
            return r.exchanged;
        }
    }
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
    let h = i * 2654435761u;
    if (i == 0u) {
        atomicStore(&own.add, 5u);
        atomicStore(&own.sub, 5u);
        atomicStore(&own.both, 4294967295u);
        atomicStore(&own.least, 4294967295u);
        atomicStore(&own.least_signed, 2147483647i);
        atomicStore(&own.most_signed, -2147483647i - 1i);
    }
    workgroupBarrier();
    if (i % 3u != 0u) {
        atomicAdd(&own.add, i * 7u);
        atomicSub(&own.sub, i * 7u);
        atomicAnd(&own.both, ~(1u << (i % 20u)));
        atomicOr(&own.either, 1u << (i % 31u));
        atomicXor(&own.one, h);
        atomicMin(&own.least, h);
        atomicMax(&own.most, h);
        atomicMin(&own.least_signed, i32(h));
        atomicMax(&own.most_signed, i32(h));
        if (i == 5u) {
            atomicExchange(&own.exchanged, 77u);
        }
        if (try_once_own(i)) {
            atomicAdd(&own.winners, 1u);
        }
        atomicAdd(&own.olds, atomicAdd(&own.count, 1u));
        atomicAdd(&shared_words.add, i * 7u);
        atomicSub(&shared_words.sub, i * 7u);
        atomicAnd(&shared_words.both, ~(1u << (i % 20u)));
        atomicOr(&shared_words.either, 1u << (i % 31u));
        atomicXor(&shared_words.one, h);
        atomicMin(&shared_words.least, h);
        atomicMax(&shared_words.most, h);
        atomicMin(&shared_words.least_signed, i32(h));
        atomicMax(&shared_words.most_signed, i32(h));
        if (i == 5u) {
            atomicExchange(&shared_words.exchanged, 77u);
        }
        if (try_once_shared(i)) {
            atomicAdd(&shared_words.winners, 1u);
        }
        atomicAdd(&shared_words.olds, atomicAdd(&shared_words.count, 1u));
    }
    workgroupBarrier();
    storageBarrier();
    if (i == 0u) {
        d[0] = atomicLoad(&own.add);
        d[1] = atomicLoad(&own.sub);
        d[2] = atomicLoad(&own.both);
        d[3] = atomicLoad(&own.either);
        d[4] = atomicLoad(&own.one);
        d[5] = atomicLoad(&own.least);
        d[6] = atomicLoad(&own.most);
        d[7] = u32(atomicLoad(&own.least_signed));
        d[8] = u32(atomicLoad(&own.most_signed));
        d[9] = atomicLoad(&own.exchanged);
        d[10] = atomicLoad(&own.winners);
        d[11] = atomicLoad(&own.olds);
        d[12] = atomicLoad(&shared_words.add);
        d[13] = atomicLoad(&shared_words.sub);
        d[14] = atomicLoad(&shared_words.both);
        d[15] = atomicLoad(&shared_words.either);
        d[16] = atomicLoad(&shared_words.one);
        d[17] = atomicLoad(&shared_words.least);
        d[18] = atomicLoad(&shared_words.most);
        d[19] = u32(atomicLoad(&shared_words.least_signed));
        d[20] = u32(atomicLoad(&shared_words.most_signed));
        d[21] = atomicLoad(&shared_words.exchanged);
        d[22] = atomicLoad(&shared_words.winners);
        d[23] = atomicLoad(&shared_words.olds);
    }
}
