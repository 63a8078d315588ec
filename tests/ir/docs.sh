#!/bin/sh
# docs/ir.md and src/ir/op.def must tell of the same ops: name, number of operands, result and flags.
set -eu
root=${TSR_SOURCE:-.}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# "add 2 SAME PURE COMPS CONSTEX", one op a line.
sed -n 's/^OP(\([a-z0-9_]*\), *\([A-Z0-9]*\), *\([A-Z]*\), *\([A-Z0_ |]*\),.*/\1 \2 \3 \4/p' "$root/src/ir/op.def" |
    sed 's/ ANY / any /; s/ 0 *$/ -/; s/ |//g; s/  */ /g; s/ $//' >"$work/code"
sed -n '/^## 5\. Ops/,$p' "$root/docs/ir.md" | grep '^| `' |
    awk -F ' [|] ' '{ name = $1; gsub(/[|` ]/, "", name); print name, $2, $4, $5 }' | sed 's/ $//' >"$work/doc"

grep -c '^OP(' "$root/src/ir/op.def" >"$work/rows"
if [ "$(cat "$work/rows")" != "$(wc -l <"$work/code" | tr -d ' ')" ]; then
    echo "tests/ir/docs.sh cannot read every row of src/ir/op.def" >&2
    exit 1
fi
if ! diff "$work/code" "$work/doc" >"$work/diff"; then
    echo "src/ir/op.def (<) and docs/ir.md (>) differ:" >&2
    cat "$work/diff" >&2
    exit 1
fi
echo "$(cat "$work/rows") ops"
