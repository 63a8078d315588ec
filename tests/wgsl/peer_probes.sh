#!/bin/sh
# Each small program of peer_probes.txt is accepted or refused as it says there. With a program as argument, that one is
# asked instead of tessera, and must agree with the second verdict: tests/peers/probes.sh does so with tint, of one in
# four, chosen by TSR_SEED (printed; the day of the year when it is not set), since tint takes some 50 ms for each. TSR_ALL=1
# asks of all.
cd "${TSR_SOURCE:-.}" || exit 3
: "${TESSERA:=build/tessera}"
case $TESSERA in /*) ;; *) TESSERA=$PWD/$TESSERA ;; esac
column=1
parts=1 seed=${TSR_SEED:-$(date +%-j)}
if [ $# -gt 0 ]; then
    column=2
    [ -n "${TSR_ALL:-}" ] || parts=4
fi
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT

# One file a program, named after its line; $dir/wanted has lines "FILE VERDICT".
awk -v dir="$dir" -v column=$column -v parts=$parts -v seed="$seed" '
    /^#/ || NF == 0 { next }
    $1 == ">" { before[$2] = before[$2] substr($0, 5) "\n"; next }
    $1 == "<" { behind[$2] = behind[$2] substr($0, 5) "\n"; next }
    (FNR + seed) % parts { next }
    {
        file = sprintf("%05d.wgsl", FNR)
        printf "%s%s\n%s", before[$2], substr($0, 6), behind[$2] > (dir "/" file)
        close(dir "/" file)
        print file, substr($1, column, 1) > (dir "/wanted")
    }' tests/wgsl/peer_probes.txt

if [ $column = 1 ]; then
    (cd "$dir" && "$TESSERA" check ./*.wgsl) > "$dir/log" 2>&1
    sed -n 's/^\(\.\/\)\{0,1\}\([0-9]*\.wgsl\): ok.*/\2 +/p; s/^\(\.\/\)\{0,1\}\([0-9]*\.wgsl\): [0-9]* error.*/\2 -/p' \
        "$dir/log" > "$dir/got"
else
    for file in "$dir"/*.wgsl; do
        if "$@" "$file" > /dev/null 2>&1; then verdict=+; else verdict=-; fi
        echo "${file##*/} $verdict"
    done > "$dir/got"
fi
sort "$dir/got" > "$dir/sorted"
sort "$dir/wanted" | diff - "$dir/sorted" | sed -n 's/^< //p' > "$dir/wrong"
while read -r file verdict; do
    echo "wanted $verdict: $(sed -n "$((1${file%.wgsl} - 100000))p" tests/wgsl/peer_probes.txt)"
done < "$dir/wrong"
echo "$(wc -l < "$dir/wanted") programs, $(wc -l < "$dir/wrong") other verdicts than wanted"
[ $parts = 1 ] || echo "one in $parts was asked for, TSR_SEED=$seed; TSR_ALL=1 asks for all"
[ -s "$dir/wanted" ] && [ ! -s "$dir/wrong" ]
