#!/bin/sh
# The front end's speed: text to checked IR, in MB of text a second of CPU time, on a made program of 10 MB; and whole
# processes on 20 files of different kinds beside tint, as a ratio of the medians. Needs a release build: TESSERA names
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

# ---- Throughput: functions as kernels have them, each a little different, until there are 10 MB.
awk 'BEGIN {
    print "struct Sizes { m: u32, n: u32, k: u32 }"
    print "@group(0) @binding(0) var<storage, read> a: array<f32>;"
    print "@group(0) @binding(1) var<storage, read_write> c: array<f32>;"
    print "@group(0) @binding(2) var<uniform> sizes: Sizes;"
    print "var<workgroup> tile: array<f32, 1024>;"
    for (i = 0; bytes < 10000000; i++) {
        text = "// Function " i ": loads a tile, adds up a row, stores what a caller would.\n" \
            "fn step_" i "(row0: u32, col0: u32, lane: u32) -> f32 {\n" \
            "    var sum = 0.0;\n" \
            "    for (var i = lane; i < 1024u; i += 128u) {\n" \
            "        let r = row0 + i / 32u;\n" \
            "        let q = col0 + i % 32u;\n" \
            "        tile[i] = select(0.0, a[r * sizes.k + q], r < sizes.m && q < sizes.k);\n" \
            "        sum = fma(tile[i], " i % 97 ".5, sum) + vec4f(sum, 1, 2, 3).x * f32(i + " i % 13 ");\n" \
            "    }\n" \
            "    if (sum > 1e6 && lane == 0) { c[row0 * sizes.n + col0] = sum; }\n" \
            "    return sum * " i % 7 ".25;\n" \
            "}\n"
        printf "%s", text
        bytes += length(text)
    }
    print "@compute @workgroup_size(128) fn main(@builtin(local_invocation_index) lane: u32) {"
    print "    c[lane] = step_0(0, 0, lane) + step_" i - 1 "(0, 0, lane);"
    print "}"
}' >"$work/big.wgsl"
bytes=$(wc -c <"$work/big.wgsl")
"$compare" --runs 7 "big" tessera "$tessera" check "$work/big.wgsl" >"$work/line"
cpu=$(awk '{ if (match($0, /"cpu_ms": [0-9.]+/)) print substr($0, RSTART + 10, RLENGTH - 10) }' "$work/line")
awk -v bytes="$bytes" -v ms="$cpu" 'BEGIN {
    printf "throughput: %.1f MB in %.0f ms of CPU time, the whole process: %.1f MB/s (wanted: 20)\n", bytes / 1e6, ms,
        bytes / 1e3 / ms }'

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
