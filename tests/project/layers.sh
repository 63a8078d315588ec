#!/bin/sh
# tools/layers itself: the project passes, and each kind of violation in a small copy is reported with its place.
set -eu
tools/layers
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# A tree with one good file, and what the arguments say: PATH INCLUDE.
tree()
{
    rm -rf "$tmp/p"
    mkdir -p "$tmp/p/docs" "$tmp/p/include" "$tmp/p/src/base" "$tmp/p/src/wgsl" "$tmp/p/src/emit" "$tmp/p/src/cli" \
        "$tmp/p/src/odd"
    cp docs/design.md "$tmp/p/docs/"
    : > "$tmp/p/include/tessera.h"
    : > "$tmp/p/src/compile.h"
    printf '#include "base/a.h"\n#include "tessera.h"\n#include <stdio.h>\n' > "$tmp/p/src/wgsl/good.c"
    : > "$tmp/p/src/base/a.h"
    : > "$tmp/p/src/wgsl/a.h"
    [ $# = 0 ] || printf '\n#include %s\n' "$2" >> "$tmp/p/$1"
}
accept()
{
    tree "$@"
    tools/layers "$tmp/p" > "$tmp/out" || { cat "$tmp/out"; echo "refused: $*"; exit 1; }
}
refuse()
{
    tree "$1" "$2"
    if tools/layers "$tmp/p" > "$tmp/out"; then echo "accepted: $1 $2"; exit 1; fi
    grep -q "^$1:.*$3" "$tmp/out" || { cat "$tmp/out"; echo "no word of $1: $3"; exit 1; }
}
accept
accept src/wgsl/b.c '"a.h"'
accept src/cli/b.c '<jansson.h>'
accept src/cli/b.c '"tessera.h"'
accept src/compile.c '"wgsl/a.h"'
refuse src/emit/b.c '"wgsl/a.h"' 'emit may not include wgsl/a.h'
refuse src/base/b.c '"wgsl/a.h"' 'base may not include wgsl/a.h'
refuse src/cli/b.c '"base/a.h"' 'only public headers'
refuse src/main.c '"compile.h"' 'only public headers'
refuse src/wgsl/b.c '"compile.h"' 'wgsl may not include compile.h'
refuse src/wgsl/b.c '"nowhere.h"' 'no such header'
refuse src/wgsl/b.c '<jansson.h>' 'jansson'
refuse src/odd/b.c '"base/a.h"' 'no row'

# Two folders that may include each other, and do.
tree src/base/b.h '"wgsl/a.h"'
sed 's/^\(| `src\/base\/` .*\)| [^|]* |$/\1| wgsl |/' docs/design.md > "$tmp/p/docs/design.md"
if tools/layers "$tmp/p" > "$tmp/out"; then echo 'a cycle was accepted'; exit 1; fi
grep -q 'in a cycle' "$tmp/out"
echo 'layers: 8 violations and a cycle reported'
