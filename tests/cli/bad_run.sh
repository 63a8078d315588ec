#!/bin/bash
# Runs that cannot be: each fault has its message and its exit status, and outputs stay as they were.
. "$(dirname "$0")/lib.sh"

echo before >o.npy
run() { # run STATUS TEXT OPTIONS...: with good bindings
    expect "$1" "$2" "$TESSERA" run add.wgsl --bind 0,0=iota:u32:4 --bind 0,1=zeros:u32:4 --out 0,1=o.npy "${@:3}"
}
bind() { # bind STATUS TEXT WHAT: as binding 0
    expect "$1" "$2" "$TESSERA" run add.wgsl --bind "0,0=$3" --bind 0,1=zeros:u32:4 --out 0,1=o.npy
}

# Bindings.
expect 1 '--bind 0,1=... is missing: `b` is array<u32>, at least 4 bytes' "$TESSERA" run add.wgsl --bind 0,0=iota:u32:4
expect 1 '--bind 0,0=... is missing' "$TESSERA" run add.wgsl
run 2 "--bind 0,1 is given twice" --bind 0,1=zeros:u32:4
run 1 "uses no @group(3) @binding(0)" --bind 3,0=zeros:u32:4
run 1 "uses no @group(0) @binding(9)" --out 0,9=p.npy
run 2 "two --out options write ./o.npy" --out 0,0=./o.npy
run 2 "GROUP,BINDING=WHAT" --bind 0=zeros:u32:4
run 2 "GROUP,BINDING=WHAT" --bind 0,1
run 2 "GROUP,BINDING=WHAT" --bind 99999999999,1=x
bind 2 "the type must be" zeros:f64:4
bind 2 "the shape must be" zeros:u32:4y4
bind 2 "is no value of type u32" values:u32:1,-1
bind 1 "needs at least 4 bytes, but this has 0" zeros:u32:0
bind 1 "needs u32, but this is f32" iota:f32:4
bind 1 "needs u32, but this is i32" iota:i32:4
bind 1 "needs u32, but this is f16" iota:f16:8
bind 3 "No such file" missing.npy
bind 3 "Is a directory" .

# .npy files.
: >bad.npy
bind 1 "it is empty" bad.npy
cp add.wgsl bad.npy
bind 1 "it is no .npy file" bad.npy
npy bad.npy "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }" '\0\0\0\0'
bind 1 "needs u32, but this is f32" bad.npy
npy bad.npy "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }" '\0\0\0\0\0\0\0\0'
bind 1 "astype('f4')" bad.npy
npy bad.npy "{'descr': '<u4', 'fortran_order': False, 'shape': (2,), }" '\0\0\0\0'
bind 1 "it is cut off: its header promises 8 bytes of data and 4 are there" bad.npy
npy bad.npy "{'descr': '<u4', 'fortran_order': False, 'shape': (1,), }" '\0\0\0\0\0'
bind 1 "1 bytes follow" bad.npy
npy bad.npy "{'descr': '<u4', 'fortran_order': False, 'shape': (-1,), }" '\0\0\0\0'
bind 1 "no size" bad.npy
npy bad.npy "{'descr': '<u4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4294967296), }" ''
bind 1 "larger than any file" bad.npy
npy bad.npy "{'descr': '<u4', 'shape': (1,), }" '\0\0\0\0'
bind 1 "no 'fortran_order'" bad.npy

# Dispatches.
run 1 "65536 workgroups in x; cpu takes at most 65535" --dispatch 65536
run 1 "65536 workgroups in z" --dispatch 1,1,65536
run 1 "4294967295 workgroups in x" --dispatch 4294967295
run 1 "no device takes 4294967296 workgroups" --dispatch 4294967296
run 1 "65536 workgroups in x" --dispatch 65536,65536
run 2 "X, X,Y or X,Y,Z" --dispatch -1
run 2 "X, X,Y or X,Y,Z" --dispatch 1,1,1,1
run 2 "X, X,Y or X,Y,Z" --dispatch 99999999999999999999
run 1 "stopped after" --dispatch 65535,65535,65535 --timeout 0.2
run 2 "seconds above 0" --timeout 0
run 2 "seconds above 0" --timeout 1e-10 # less than the clock counts in
# Calls take time too: 2^40 of them, in the interpreter, for native code would be a copy of each.
awk 'BEGIN {
    print "fn f0() -> i32 { return 1; }"
    for (i = 1; i <= 40; i++) printf "fn f%d() -> i32 { return f%d() + f%d(); }\n", i, i - 1, i - 1
    print "@group(0) @binding(0) var<storage, read_write> o: i32;"
    print "@compute @workgroup_size(1) fn main() { o = f40(); }"
}' >calls.wgsl
for device in cpu cpu:interpreter; do
    expect 1 "stopped after" timeout 60 "$TESSERA" run calls.wgsl --device $device --timeout 0.2 --bind 0,0=zeros:i32:1
done

# Overrides, entry points, devices, options.
run 1 "there is no override \`extr\`; did you mean \`extra\`?" --set extr=1
run 1 "is out of range" --set extra=-1
run 1 "given two values" --set extra=1 --set extra=2
run 2 "NAME=NUMBER" --set extra
run 2 "NAME=NUMBER" --set extra=one
run 1 "no entry point \`mian\`" --entry mian
run 2 "cpu has no subgroup size 24" --subgroup-size 24
run 2 "a whole number from 1" --subgroup-size many
run 3 "there is no device \"abacus\"" --device abacus
run 2 "did you mean --dispatch?" --dispach 4
run 2 "needs a value" --entry
run 2 "takes no value" --json=yes
run 2 "one program at a time" add.wgsl
run 1 "that is 12 bytes, and the buffer has 16" --out 0,0=p.npy:u32:3
run 2 "FILE.npy" --out 0,0=p.npy:u32:axb
# Files without end are told by what they begin with; arrays by the memory that they would take.
bind 1 "it is no .npy file" /dev/zero
bind 3 "no memory for 1000000000000 bytes, once here and once on the device" zeros:f32:250000000000
bind 2 'the seed "-1" must be a whole number from 0 to 18446744073709551615' random:f32:4:-1
bind 2 'the seed "18446744073709551616" must be' random:f32:4:18446744073709551616
bind 2 '":3" is too much; only random takes a seed' zeros:f32:4:3
# An option that changes another one is of no use without it.
run 2 "--orders does nothing without --sanitize=order" --orders 3
run 2 "--seed does nothing without --sanitize=order" --seed 3 --sanitize races
run 2 "--extent does nothing without --sanitize=bounds" --extent coarse
run 2 "--tolerance does nothing without --expect" --tolerance 0
run 2 "from 0 to 18446744073709551615" --sanitize order --seed 18446744073709551616
expect 2 "which program?" "$TESSERA" run
expect 2 "did you mean run?" "$TESSERA" rnu
expect 2 "Usage" "$TESSERA"
expect 2 "there is --to ir" "$TESSERA" compile add.wgsl
expect 2 "there is no target" "$TESSERA" compile add.wgsl --to gold
expect 2 "which programs?" "$TESSERA" check

check "o.npy is as before" test "$(cat o.npy)" = before
check "nothing else was left" test -z "$(ls | grep -e tmp -e p.npy)"
finish
