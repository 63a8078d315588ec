#!/bin/bash
# What overrides decide is evaluated when a pipeline is made, in functions too: what cannot be computed is refused there,
# by its place. WGSL, "override Expressions".
. "$(dirname "$0")/lib.sh"

cat >k.wgsl <<'END'
override n = 2;
override m = 1u;
@group(0) @binding(0) var<storage, read_write> out: array<i32>;
fn unused() -> i32 { return 1 / (n - 2); }
@compute @workgroup_size(4) fn alone() { out[0] = 10 / n + (1 << m); }
@compute @workgroup_size(4) fn guarded() { out[0] = select(1, 2, n == 0 || 10 / n > 1); }
@compute @workgroup_size(4) fn mixed(@builtin(local_invocation_index) i: u32) {
    var a = array(1, 2, 3, 4);
    let x = i32(i);
    out[i] = x / n + (x << m) + a[n] + clamp(n, 1, 3) + vec2(x, n)[n - 1];
    out[i] += (vec2(x) % n).y;
}
@compute @workgroup_size(4) fn late() { let z = 0; var y = n; out[0] = 5 / z + 1 / y + (7 << (m + 0)); }
@compute @workgroup_size(4) fn pairs(@builtin(local_invocation_index) i: u32) {
    let x = i32(i);
    let f = f32(i);
    out[i] = clamp(x, n - 9, n) + clamp(x, -20, n) + i32(smoothstep(f32(n), 9.0, f) + ldexp(f, n));
    out[i] += extractBits(x, m, 8u) + insertBits(x, 1, 4u, m) + clamp(vec2(x), vec2(n), vec2(100, 50)).y;
}
@compute @workgroup_size(4) fn named() { out[0] = 1; _ = 1 / n; _ = array(vec2(1, 2 % n)); _ = n > 9 || 3 / n > 1; }
@compute @workgroup_size(4) fn unused_let() { out[0] = 1; if n != 0 { let x = array(1, 10 / n); let y = x[1] + 1; } }
@compute @workgroup_size(4) fn chosen_let() { out[0] = 1; let x = select(1, 10 / n, n != 0); }
@compute @workgroup_size(4) fn guarded_let() { out[0] = 1; let x = n == 0 || 10 / n > 1; let y = n; }
@compute @workgroup_size(4) fn dead_let() { out[0] = 1; return; let x = 10 / n; }
var<workgroup> tile: array<i32, n>;
@compute @workgroup_size(4) fn counted() { tile[1] = 1; out[0] = tile[1] + i32(3e9f * f32(n)); }
@compute @workgroup_size(4) fn components() {
    out[0] = (vec2(10, 7) / vec2(3, n)).y + (vec3(1, 2, 3) << vec3(0u, 1u, m)).z + i32(sqrt(vec2(f32(n), 1.0)).x);
}
override big = 1f;
@compute @workgroup_size(4) fn steps() {
    out[0] = i32(mix(vec2(1f), vec2(big), vec2(-3f)).x + vec2(big % 0.003f).y);
}
fn helper(x: i32) { let y = x + 10 / n; let z = 1u << (m + 30u); }
@compute @workgroup_size(4) fn called() { helper(out[0]); }
END
run() { # run STATUS TEXT ENTRY OPTIONS...
    expect "$1" "$2" "$TESSERA" run k.wgsl --entry "$3" --bind 0,0=zeros:i32:4 "${@:4}"
}
run 0 "" alone
run 1 'k.wgsl:5:51: error: with these override values, this expression (`div`) divides by zero' alone --set n=0
run 1 '(`shl`) shifts by too much' alone --set m=32
run 0 "" guarded --set n=0
run 0 "" mixed
run 1 '(`div`) divides by zero' mixed --set n=0
run 1 '(`shl`) shifts by too much' mixed --set m=40
run 1 '(`index`) has an index out of range' mixed --set n=4
run 1 '(`index`) has an index out of range' mixed --set n=-1
run 1 '(`rem`) divides by zero' mixed --set n=0
run 0 "" late --set n=0
run 0 "" pairs
run 1 '(`clamp`) has its low bound above its high one' pairs --set n=-21
run 1 '(`clamp`) has its low bound above its high one' pairs --set n=60
run 1 '(`smoothstep`) has two equal edges' pairs --set n=9
run 1 '(`ldexp`) has an exponent that is too large' pairs --set n=129
run 1 '(`extract_bits`) reaches past the 32 bits of its operand' pairs --set m=25
run 1 '(`insert_bits`) reaches past the 32 bits of its operand' pairs --set m=29
run 0 "" named
run 1 '(`div`) divides by zero' named --set n=0
run 0 "" unused_let
run 1 '(`div`) divides by zero' unused_let --set n=0
run 1 '(`div`) divides by zero' chosen_let --set n=0
run 0 "" guarded_let --set n=0
run 0 "" dead_let --set n=0
run 0 "" counted
run 1 '(`index`) has an index out of range' counted --set n=1
run 0 "" components
run 1 '(`div`) divides by zero' components --set n=0
run 1 '(`shl`) shifts by too much' components --set m=31
run 1 '(`sqrt`) is not defined for its arguments' components --set n=-1
run 0 "" steps
run 1 '(`mix`) overflows its type' steps --set big=1.9e38
run 1 '(`rem`) overflows its type' steps --set big=5e37
run 0 "" called
run 1 '(`div`) divides by zero' called --set n=0
run 1 '(`shl`) shifts by too much' called --set m=2

cat >s.wgsl <<'END'
enable subgroups;
override lane = 3i;
override far = 1u;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
    out[i] = subgroupShuffle(i, lane) + subgroupShuffleDown(i, far);
}
END
lanes() { # lanes STATUS TEXT OPTIONS...
    expect "$1" "$2" "$TESSERA" run s.wgsl --bind 0,0=zeros:u32:4 "${@:3}"
}
lanes 0 ""
lanes 1 '(`sg_shuffle`) names an invocation beyond 127' --set lane=128
lanes 1 '(`sg_shuffle`) names an invocation beyond 127' --set lane=-1
lanes 1 '(`sg_shuffle_down`) names an invocation beyond 127' --set far=128
finish
