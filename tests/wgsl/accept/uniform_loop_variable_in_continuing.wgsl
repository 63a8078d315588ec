// The continuing block overwrites on every way.
@group(0) @binding(1) var<storage, read> ro: array<u32>;
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = 0u;
    loop {
        x = lid;
        if ro[0] == 0 {
            continue;
        }
        x = 3;
        continuing {
            x = uni;
            break if uni == 4;
        }
    }
    if x == 0 {
        workgroupBarrier();
    }
}
