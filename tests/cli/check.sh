#!/bin/bash
# `tessera check`: folders, formats, standard input, and the hint.
. "$(dirname "$0")/lib.sh"

mkdir -p tree/a/deep tree/.hidden
echo 'const a = 1;' >tree/a/one.wgsl
echo 'const b: u32 = -1;' >tree/a/deep/two.wgsl
echo 'this is no program' >tree/a/notes.txt
echo 'this is no program' >tree/.hidden/three.wgsl
ln -s .. tree/a/loop
expect 1 "tree/a/deep/two.wgsl: 1 error" "$TESSERA" check tree
check "folders: both files, once each" test "$(grep -c 'wgsl: \(ok\|1 error\)$' stderr)" -eq 2
check "the hint stands once" test "$(grep -c 'tessera explain E0304' stderr)" -eq 1
check "the hint stands last" grep -q 'tessera explain E0304' <(tail -1 stderr)
expect 0 "tree/a/one.wgsl: ok" "$TESSERA" check tree/a/one.wgsl
check "no hint without errors" test "$(grep -c explain stderr)" -eq 0
mkdir none
expect 1 "there is no file NAME.wgsl below this folder" "$TESSERA" check none
expect 3 "No such file" "$TESSERA" check nowhere
expect 1 "<stdin>:1:7: error" "$TESSERA" check - <<<'const 1;'
check "standard input has a name" grep -q '^<stdin>: 1 error$' stderr

expect 1 "" "$TESSERA" check --format json tree
check "json as --json" cmp stdout <("$TESSERA" check --json tree)
check "json holds both" test "$(grep -c '"file":' stdout)" -eq 2
expect 1 "" "$TESSERA" check --format sarif tree
check "sarif as --sarif -" cmp stdout <("$TESSERA" check --sarif - tree)
expect 1 "two.wgsl: 1 error" "$TESSERA" check --format text tree
expect 2 "did you mean json" "$TESSERA" check --format jsn tree

# Names that are nearly right, of the program and of the language.
near() { # near TEXT NAME: the text's message names it
    echo "$1" >near.wgsl
    expect 1 "did you mean \`$2\`?" "$TESSERA" check near.wgsl
    check "one error for $1" test "$(grep -c 'error:' stderr)" -eq 1
}
near 'fn f(x: f32) -> f32 { return smothstep(0, 1, x); }' smoothstep
near 'fn f() { workgroupBarier(); }' workgroupBarrier
near 'var<private> v: vec4d;' vec4
near '@group(0) @binding(0) var t: texture_2D<f32>;' texture_2d
near '@compute @workgroupsize(1) fn main() {}' @workgroup_size
near '@compute @workgroup_size(1) fn main(@builtin(local_invocation_idx) i: u32) {}' local_invocation_id
near '@compute @workgroup_size(1) fn main(@builtin(local_invocation_indx) i: u32) {}' local_invocation_index
near 'fn f(width: u32) -> u32 { return widht; }' width
near 'struct S { count: u32 } fn f(s: S) -> u32 { return s.cuont; }' count

# Profiles: read once, also from a pipe, in time that grows with their number; a file without any is bad input.
record() { # record NAME
    printf '{"name":"%s","kind":"device","support":"complete","subgroup_sizes":[32],"subgroup_size":32,"configurations":' "$1"
    printf '["16x16x16 f16*f16+f32->f32 subgroup"],"limits":{"max_workgroup_invocations":1024,"max_workgroup_bytes":49152}}'
}
records() { # records COUNT
    printf '{"format":"tessera device profiles 1","devices":['
    for ((i = 0; i < $1; i++)); do
        [ "$i" = 0 ] || printf ,
        record "d$i"
    done
    printf ']}'
}
data=(--bind 0,0=iota:u32:8 --bind 0,1=zeros:u32:8 --dispatch 2)
expect 0 "" "$TESSERA" check add.wgsl "${data[@]}" --profile - < <(records 2)
check "a pipe: both were run" test "$(grep -c 'run and compared' stdout)" -eq 2
records 1500 >many.json
expect 0 "" timeout 60 "$TESSERA" check add.wgsl "${data[@]}" --profile many.json
check "many: all were run" test "$(grep -c 'run and compared' stdout)" -eq 1500
records 0 >no.json
expect 1 "no.json holds no profile" "$TESSERA" check add.wgsl --profile no.json

# A line that names a shape and is not as it must be is no comment that nobody reads.
for line in '' ' M N K' ' M N K f16' ' M N f16*f16+f32->f32' ' M N K f16*f16+f32->f32 more'; do
    { echo '//! check --dispatch 2'; echo "//! configuration$line"; cat add.wgsl; } >shape.wgsl
    expect 1 "shape.wgsl:2: write it as //! configuration" "$TESSERA" check shape.wgsl --on nvk-ampere
    expect 0 "shape.wgsl: ok" "$TESSERA" check shape.wgsl
done
finish
