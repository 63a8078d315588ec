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
bench/front_text.sh called 1000000 > "$work/big.wgsl"
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
