#!/bin/sh
# The front end's speed: text to checked IR, in MB of text a second of CPU time, on made texts of 10 MB, and the memory that
# it takes beyond 16 MB; and whole processes on 20 files of different kinds beside tint, as a ratio of the medians. Needs a release build: TESSERA names
# the command, TSR_BUILD its build folder (bench/compare is built there, or compiled here when it is not).
set -eu
cd "$(dirname "$0")/.."
build=${TSR_BUILD:-build/release}
tessera=${TESSERA:-$build/tessera}
[ -x "$tessera" ] || { echo "front: no command at $tessera"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compare=$build/bench/compare
if [ ! -x "$compare" ]; then
    compare=$work/compare
    ${CC:-cc} -O2 -D_XOPEN_SOURCE=700 -o "$compare" bench/compare.c
fi

# ---- Throughput and the most memory, on two texts of 10 MB.
for kind in functions kernels; do
    bench/front_text.sh $kind 10000000 >"$work/$kind.wgsl"
    bytes=$(wc -c <"$work/$kind.wgsl")
    "$compare" --runs 7 "$kind" tessera "$tessera" check "$work/$kind.wgsl" |
        awk -v bytes="$bytes" -v kind=$kind '
            function number(key) { return match($0, key ": [0-9.]+") ? substr($0, RSTART + length(key) + 2) + 0 : 0 }
            {
                ms = number("\"cpu_ms\"")
                kib = number("\"peak_kib\"")
                printf "%s: %.1f MB in %.0f ms of CPU time, the whole process: %.1f MB/s (wanted: 20); at most %.1f bytes a byte\n", \
                    kind, bytes / 1e6, ms, bytes / 1e3 / ms, (kib * 1024 - 16777216) / bytes
            }'
done

# ---- Whole processes beside tint.
peers=$(tools/peers 2>/dev/null) || { echo "tint cannot be had here"; exit 0; }
tint=$(sed -n 's/^exec //p' "$peers/tint" | sed 's/ "\$@"$//')
# The least that this tint can be asked for: some builds list the format `none` and refuse it.
for format in none ir wgsl; do
    "$peers/tint" --format $format -o /dev/null tests/wgsl/accept/arrays.wgsl >/dev/null 2>&1 && break
done
echo "tint --format $format"
count=0
for file in bench/kernels/*.wgsl examples/*.wgsl tests/wgsl/accept/k*.wgsl tests/wgsl/accept/*.wgsl; do
    [ "$count" -lt 20 ] || break
    "$peers/tint" --format $format -o /dev/null "$file" >/dev/null 2>&1 || continue # what tint does not know cannot be compared
    "$tessera" check "$file" >/dev/null 2>&1 || continue
    count=$((count + 1))
    eval "\"\$compare\" --runs 9 \"\$file\" tessera \"\$tessera\" check \"\$file\" -- tint $tint --format $format -o /dev/null \"\$file\"" |
        awk -v file="$file" '{
            line = $0
            while (match(line, /"ratio": [0-9.]+/)) {
                ratio = substr(line, RSTART + 9, RLENGTH - 9)
                line = substr(line, RSTART + RLENGTH)
            }
            printf "%-50s tint takes %6.2f times as long\n", file, ratio
        }' | tee -a "$work/ratios"
done
[ "$count" -gt 0 ] || { echo "tint takes none of the files"; exit 1; }
awk '{ for (i = 1; i <= NF; i++) if ($i == "takes") { r = $(i + 1); sum += log(r); n++
    if (least == 0 || r < least) least = r } }
    END { printf "%d files: geometric mean %.2f, least %.2f (wanted: 3)\n", n, exp(sum / n), least }' "$work/ratios"
