#!/bin/bash
# `tessera run`: what works.
. "$(dirname "$0")/lib.sh"

expect 0 "1 workgroup of 4x1x1" "$TESSERA" run add.wgsl --bind 0,0=iota:u32:4 --bind 0,1=zeros:u32:4 --out 0,1=o.npy
check "result" test "$(tail -c 16 o.npy | od -An -tu4 | xargs)" = "0 1 2 3"
check "header" grep -qF "{'descr': '<u4', 'fortran_order': False, 'shape': (4,), }" o.npy
check "alignment" test $((($(stat -c %s o.npy) - 16) % 64)) -eq 0

# What one run writes, another reads; types and shapes by hand.
expect 0 "" "$TESSERA" run add.wgsl --bind 0,0=o.npy --bind 0,1=zeros:u32:2x2 --set extra=256 --out 0,1=p.npy:i8:4x4
check "bytes" test "$(tail -c 16 p.npy | od -An -tu1 | xargs)" = "0 1 0 0 1 1 0 0 2 1 0 0 3 1 0 0"
check "byte header" grep -qF "{'descr': '|i1', 'fortran_order': False, 'shape': (4, 4), }" p.npy
expect 0 "" "$TESSERA" run add.wgsl --bind 0,0=p.npy --bind 0,1=zeros:u32:4 --out 0,1=q.npy:u8
check "bytes back" test "$(tail -c 16 q.npy | od -An -tu1 | xargs)" = "0 1 0 0 1 1 0 0 2 1 0 0 3 1 0 0"

# Byte order and column-major files.
npy big.npy "{'descr': '>u4', 'fortran_order': True, 'shape': (2, 2), }" '\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\4'
expect 0 "" "$TESSERA" run add.wgsl --bind 0,0=big.npy --bind 0,1=zeros:u32:4 --out 0,1=o.npy
check "swapped, transposed" test "$(tail -c 16 o.npy | od -An -tu4 | xargs)" = "1 3 2 4"

# Overrides, options in any order, = for values, standard input, a file in place of its input.
expect 0 "" "$TESSERA" run --out=0,1=o.npy --set=extra=7 --bind 0,0=o.npy --bind 0,1=zeros:u32:4 -- add.wgsl
check "in place" test "$(tail -c 16 o.npy | od -An -tu4 | xargs)" = "8 10 9 11"
expect 0 "" bash -c "'$TESSERA' run - --bind 0,0=o.npy --bind 0,1=zeros:u32:4 <add.wgsl"

# Zero workgroups do nothing and succeed.
expect 0 "0 workgroups" "$TESSERA" run add.wgsl --bind 0,0=iota:u32:4 --bind 0,1=zeros:u32:4 --dispatch 0 --out 0,1=z.npy
check "untouched" test "$(tail -c 16 z.npy | od -An -tu4 | xargs)" = "0 0 0 0"

# JSON on standard output, nothing else there.
expect 0 "" "$TESSERA" run add.wgsl --bind 0,0=iota:u32:2 --bind 0,1=zeros:u32:9 --dispatch 3 --json --out 0,1=o.npy
check "json" grep -q '"workgroups": 3' stdout
check "json out of bounds" grep -q '"accesses": 7' stdout
check "json first byte" test "$(head -c 1 stdout)" = "{"
check "warning" grep -q "add.wgsl:6:.*warning: 7 accesses" stderr

# Everything else that prints.
expect 0 "" "$TESSERA" version
check "version" grep -q '^tessera [0-9]' stdout
expect 0 "" "$TESSERA" --version
expect 0 "" "$TESSERA" devices
check "cpu" grep -q '^cpu: ' stdout
expect 0 "" "$TESSERA" devices cpu --json
check "cpu as json" grep -q '"max_workgroups_per_dimension": 65535' stdout
expect 0 "" "$TESSERA" reflect add.wgsl
check "reflection" grep -qF "@group(0) @binding(1) b: array<u32> (storage, read_write), at least 4 bytes" stdout
expect 0 "" "$TESSERA" reflect add.wgsl --json
check "reflection as json" grep -q '"min_bytes": 4' stdout
expect 0 "add.wgsl: ok" "$TESSERA" check add.wgsl
expect 0 "" "$TESSERA" compile add.wgsl --to ir -o add.ir
expect 0 "" "$TESSERA" run add.ir --bind 0,0=iota:u32:4 --bind 0,1=zeros:u32:4 --set extra=1 --out 0,1=o.npy
check "from IR" test "$(tail -c 16 o.npy | od -An -tu4 | xargs)" = "1 2 3 4"
expect 0 "" "$TESSERA" --help
expect 0 "" "$TESSERA" help run
for command in run check compile reflect devices layout version; do
    expect 0 "" "$TESSERA" $command --help
    check "$command --help" grep -q "^Examples:" stdout
    check "$command is listed" bash -c "'$TESSERA' --help | grep -q '  $command '"
done
check "no colour in a file" bash -c "! '$TESSERA' check /dev/null nothing 2>&1 | grep -q \$'\\033'"
finish
