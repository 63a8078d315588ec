#!/bin/sh
# WGSL to SPIR-V beside tint, in one run: whole processes on a 400-line kernel, the sizes of both modules, and 1 MB of WGSL
# as throughput. Prints a table and appends JSON lines.
#
#   bench/spirv.sh [--out FILE]     default: build/bench_spirv.json
#
# Needs a release build: TESSERA names the command, TSR_BUILD its build folder. Without tint (tools/peers) only our own
# figures are shown.
set -eu
cd "$(dirname "$0")/.."
build=${TSR_BUILD:-build/release}
tessera=${TESSERA:-$build/tessera}
out=build/bench_spirv.json
[ "${1:-}" = --out ] && out=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kernel=bench/kernels/attention.wgsl
lines=$(wc -l < $kernel)

# The command line behind a wrapper script, so that no shell is timed with it.
unwrap() {
    sed -n 's/^exec //p' "$1" | sed 's/ "\$@"$//'
}
tint=
if peers=$(tools/peers); then
    tint="$(unwrap "$peers/tint") --format spirv -o $work/tint.spv"
fi

# ---- Whole processes.
compare() { # compare RUNS TITLE FILE
    eval "\"\$build/bench/compare\" --runs $1 \"\$2\" tessera \"\$tessera\" compile $3 --to spirv -o $work/tessera.spv" \
        "${tint:+-- tint $tint $3}"
}
compare 51 "WGSL to SPIR-V, attention kernel, $lines lines, whole process" "$kernel" | tee "$work/kernel" >> "$work/result"
ours=$(wc -c < "$work/tessera.spv")
theirs=
[ -z "$tint" ] || theirs=$(wc -c < "$work/tint.spv")

# ---- Throughput: 1 MB of functions, all of them called. tint is left out: it needs minutes.
awk 'BEGIN {
    print "struct Sizes { m: u32, n: u32, k: u32 }"
    print "@group(0) @binding(0) var<storage, read> a: array<f32>;"
    print "@group(0) @binding(1) var<storage, read_write> c: array<f32>;"
    print "@group(0) @binding(2) var<uniform> sizes: Sizes;"
    print "var<workgroup> tile: array<f32, 1024>;"
    for (i = 0; bytes < 1000000; i++) {
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
    print "    var s = 0.0;"
    for (k = 0; k < i; k++) print "    s += step_" k "(0, " k ", lane);"
    print "    c[lane] = s;\n}"
}' > "$work/big.wgsl"
bytes=$(wc -c < "$work/big.wgsl")
tint=
compare 11 "WGSL to SPIR-V, $bytes bytes, whole process" "$work/big.wgsl" | tee "$work/big" >> "$work/result"

# ---- The table.
field() { # field FILE COMMAND KEY
    sed -n "s/.*{\"name\": \"$2\"[^}]*\"$3\": \([0-9.]*\).*/\1/p" "$1"
}
mkdir -p "$(dirname "$out")"
cp "$work/result" "$out.part"
mv "$out.part" "$out"
echo "WGSL to SPIR-V, whole process, $kernel ($lines lines)"
printf '    tessera  %8.2f ms, %d bytes\n' "$(field "$work/kernel" tessera wall_ms)" "$ours"
if [ -n "$theirs" ]; then
    printf '    tint     %8.2f ms, %d bytes\n' "$(field "$work/kernel" tint wall_ms)" "$theirs"
    awk -v a="$(field "$work/kernel" tessera wall_ms)" -v b="$(field "$work/kernel" tint wall_ms)" -v x="$ours" -v y="$theirs" \
        'BEGIN { printf "    time %.2f of tint'"'"'s (at most 0.33), size %.2f\n", a / b, x / y }'
fi
awk -v ms="$(field "$work/big" tessera wall_ms)" -v n="$bytes" \
    'BEGIN { printf "%d bytes of WGSL: %.0f ms, %.1f MB/s\n", n, ms, n / ms / 1000 }'
