#!/bin/bash
# No space, no permission, no folder: exit status 3, and every output as it was, also those that could be written.
. "$(dirname "$0")/lib.sh"

bind="--bind 0,0=iota:u32:40000 --bind 0,1=zeros:u32:40000"
echo first >a.npy
echo second >b.npy
unchanged() {
    check "a.npy after $1" test "$(cat a.npy)" = first
    check "b.npy after $1" test "$(cat b.npy)" = second
    check "no temporary file after $1" test -z "$(ls -A | grep tmp)"
}

expect 3 "No space left on device" "$TESSERA" run add.wgsl $bind --out 0,0=a.npy --out 0,1=/dev/full
unchanged /dev/full
expect 3 "File too large" bash -c "ulimit -f 64; exec '$TESSERA' run add.wgsl $bind --out 0,0=a.npy --out 0,1=b.npy"
unchanged "a file size limit"
expect 3 "No such file" "$TESSERA" run add.wgsl $bind --out 0,0=a.npy --out 0,1=nowhere/b.npy
unchanged "a missing folder"
mkdir folder
expect 3 "Is a directory" "$TESSERA" run add.wgsl $bind --out 0,0=a.npy --out 0,1=folder
unchanged "a folder as output"
if [ "$(id -u)" -ne 0 ]; then
    chmod a-w folder
    expect 3 "Permission denied" "$TESSERA" run add.wgsl $bind --out 0,0=a.npy --out 0,1=folder/b.npy
    unchanged "a closed folder"
fi
expect 3 "No space left on device" "$TESSERA" compile add.wgsl --to ir -o /dev/full
expect 3 "could not be written" bash -c "'$TESSERA' compile add.wgsl --to ir >/dev/full"
expect 3 "could not be written" bash -c "'$TESSERA' reflect add.wgsl --json >/dev/full"
expect 3 "could not be written" bash -c "'$TESSERA' --help >/dev/full"

# Memory: a limit of the process, where a sanitizer does not reserve terabytes.
if [ "${TSR_SANITIZE:-0}" != 1 ]; then
    expect 3 "no memory" bash -c "ulimit -v 400000; exec '$TESSERA' run add.wgsl --bind 0,0=zeros:u32:500000000 --bind 0,1=zeros:u32:4"
fi

# Devices are written to, not replaced; links are followed; the mode of a file stays.
expect 0 "" "$TESSERA" run add.wgsl $bind --out 0,1=/dev/null
check "/dev/null is a device" test -c /dev/null
ln -s b.npy link.npy
chmod 640 b.npy
expect 0 "" "$TESSERA" run add.wgsl $bind --out 0,1=link.npy
check "the link stays" test -L link.npy
check "the mode stays" test "$(stat -c %a b.npy)" = 640
check "what it leads to is written" grep -q NUMPY b.npy
expect 2 "two --out options write" "$TESSERA" run add.wgsl $bind --out 0,0=b.npy --out 0,1=link.npy
finish
