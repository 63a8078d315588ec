#!/bin/bash
# What `tessera compile` says about its options, and what its forms of SPIR-V are good for.
. "$(dirname "$0")/lib.sh"
kernel=tests/emit/golden/scale.wgsl

# expect STATUS TEXT COMMAND...
expect() {
    local status=$1 text=$2
    shift 2
    "$@" >"$work/stdout" 2>"$work/out"
    local got=$?
    [ $got = "$status" ] || fail "exit status $got, not $status: $*"
    [ -z "$text" ] || grep -qF -e "$text" "$work/out" || fail "no \"$text\" from: $*"
}
expect 0 "" "$TESSERA" compile $kernel --to spirv -o "$work/m.spv"
expect 2 'did you mean --to spirv?' "$TESSERA" compile $kernel --to spirw
expect 2 'there is --to ir, --to spirv' "$TESSERA" compile $kernel
expect 2 'it must be 1.3, 1.4, 1.5 or 1.6' "$TESSERA" compile $kernel --to spirv --spirv-version 2.0
expect 2 'did you mean zero' "$TESSERA" compile $kernel --to spirv --oob zer
expect 2 'it must be a number from 1 to 128' "$TESSERA" compile $kernel --to spirv --subgroup-size 0
expect 2 'it must be NAME=NUMBER' "$TESSERA" compile $kernel --to spirv --set N
expect 1 'the program has no overrides to set' "$TESSERA" compile $kernel --to spirv --set N=1 -o "$work/x.spv"
[ ! -e "$work/x.spv" ] || fail "a refused program left a file"
expect 1 'there is no entry point `other`' "$TESSERA" compile $kernel --to spirv --entry other
expect 3 'no device "gold"' "$TESSERA" compile $kernel --to spirv --device gold
expect 3 '' "$TESSERA" compile $kernel --to spirv -o /no/such/folder/m.spv
expect 3 '' "$TESSERA" compile $kernel --to spirv -o /dev/full
if command -v script >/dev/null 2>&1; then # a terminal of our own
    script -qec "'$TESSERA' compile $kernel --to spirv" /dev/null >"$work/out" 2>&1
    grep -q 'standard output is a terminal' "$work/out" || fail "binary data went to a terminal"
fi

# The header is C, and holds the module.
"$TESSERA" compile $kernel --to spirv-header -o "$work/m.h" || fail "no header"
cat >"$work/m.c" <<'C'
#include "m.h"
#include <stdio.h>
int main(void) { return fwrite(main_spirv, 1, sizeof main_spirv, stdout) != sizeof main_spirv; }
C
if ${CC:-cc} -std=c11 -Wall -Werror -o "$work/m" "$work/m.c" >"$work/out" 2>&1; then
    "$work/m" >"$work/h.spv" && cmp "$work/h.spv" "$work/m.spv" || fail "the header holds another module"
else
    fail "the header does not compile"
fi
# The first words: magic, version.
[ "$(od -An -tx4 -N8 "$work/m.spv" | tr -d ' \n')" = 0723020300010600 ] || fail "not SPIR-V 1.6"
"$TESSERA" compile $kernel --to spirv --spirv-version 1.3 | od -An -tx4 -N8 | grep -q '07230203 00010300' || fail "not SPIR-V 1.3"
"$TESSERA" compile $kernel --to spirv-text --lines | grep -q 'OpLine' || fail "--lines carries no lines"
"$TESSERA" compile tests/exec/quad_ops.wgsl --to spirv-text --maximal-reconvergence | grep -q 'MaximallyReconvergesKHR' ||
    fail "--maximal-reconvergence is not asked for"
"$TESSERA" compile $kernel --to spirv --maximal-reconvergence | cmp - "$work/m.spv" ||
    fail "--maximal-reconvergence changes a program without subgroup operations"
[ $failed -eq 0 ]
