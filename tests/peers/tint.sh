#!/bin/sh
# Another WGSL compiler agrees about our programs: tint accepts what stands in tests/wgsl/accept, examples and
# tests/exec, and refuses what stands in tests/wgsl/reject. tests/peers/tint.known lists the files where it does not,
# and why.
#
# Uses the tint of TSR_PEERS or of build/peers (tools/peers puts it there); without one the test is skipped: nothing is
# fetched here.
cd "${TSR_SOURCE:-.}" || exit 3
tint=${TSR_PEERS:-build/peers/bin}/tint
[ -x "$tint" ] || { echo "no tint at $tint (tools/peers fetches it)"; exit 77; }
known=tests/peers/tint.known
log=$(mktemp) || exit 3
trap 'rm -f "$log"' EXIT

is_known() { grep -q "^$1 " "$known"; }
# Whether tint accepts: it prints errors with their place, and then ends with a status that is not 0.
accepts() { "$tint" --format wgsl -o /dev/null "$1" > "$log" 2>&1; }

agreed=0
listed=0
failed=0
for file in tests/wgsl/accept/*.wgsl examples/*.wgsl tests/exec/*.wgsl tests/wgsl/reject/*.wgsl; do
    [ -e "$file" ] || continue
    case $file in */reject/*) want=refuse ;; *) want=accept ;; esac
    if accepts "$file"; then got=accept; else got=refuse; fi
    if [ $want = $got ]; then
        agreed=$((agreed + 1))
        if is_known "$file"; then
            echo "FAILED $file: tint agrees by now; remove it from $known"
            failed=$((failed + 1))
        fi
    elif is_known "$file"; then
        listed=$((listed + 1))
    else
        echo "FAILED $file: tint should $want it"
        grep -m 1 -A 3 ' error' "$log" | sed 's/^/  /'
        failed=$((failed + 1))
    fi
done
echo "tint agrees on $agreed programs, differs as listed on $listed, otherwise on $failed"
[ $failed = 0 ]
