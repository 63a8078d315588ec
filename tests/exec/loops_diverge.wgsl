//! subgroups all
//! d       u32 64 marker
//! expect  d == values 1000 2000 2003 11 15 1030 2056 2064 102 145 1187 2276 2338 409 1050 1024 1190 1044 1216 1160 1218 1144 1058 1104 1300 1196 1242 1120 1334 1020 1240 1088 1122 1360 1190 1224 1036 1292 1326 1120 1394 1428 1204 1496 1530 1012 1034 1056 1078 1100 1122 1144 1166 1188 1210 1232 1254 1276 1298 1320 1342 1364 1008 1024
// Nested loops with continue, break and an early return, then a switch: every invocation goes its own way.
@group(0) @binding(0) var<storage, read_write> d: array<u32>;

fn walk(i: u32) -> u32 {
    var s = 0u;
    for (var j = 0u; j < 100u; j++) {
        if (j % 3 == i % 3) {
            continue;
        }
        if (j > i) {
            break;
        }
        var k = 0u;
        loop {
            if (k * k > j) {
                break;
            }
            s += k * (i + 1);
            continuing {
                k++;
            }
        }
        if (s > 500) {
            return s * 2;
        }
    }
    switch (i % 5) {
        case 0: {
            s += 1000;
        }
        case 1, 2: {
            s += 2000;
            break;
        }
        case 4: {
            s += 5;
        }
        default: {
            s += 3;
        }
    }
    return s;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
    d[i] = walk(i);
}
