#!/bin/sh
# Native code on the CPU: every figure that it is held to, beside its peers, in one run; prints a table, what is asked for
# beside what was measured, and writes JSON lines. Ordinary kernels stand beside a loop in C, most with nothing asked for: they
# show where the code falls off a cliff.
#
#   bench/cpu.sh [--out FILE]     default: build/bench_cpu.json
#
# One thread is measured in CPU time, two and whole processes by the clock: for those the machine must be quiet. Needs a
# release build (TESSERA names the command, TSR_BUILD its build folder). OpenBLAS and oneDNN are used when they are
# installed (Debian: libopenblas0-pthread, libdnnl2), lavapipe when tools/vulkan-testbed was run; the table says what is
# not there.
set -eu
cd "$(dirname "$0")/.."
build=${TSR_BUILD:-build/release}
tessera=${TESSERA:-$build/tessera}
out=build/bench_cpu.json
[ "${1:-}" = --out ] && out=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TSR_CACHE="$work/cache"
export TSR_JIT=first # the short list of LLVM's passes from the first run to the last
matrix="$build/bench/matrix"

TSR_CACHE=off "$matrix" gemm 1024 1024 1024 gemm 2048 2048 2048 gemm 17 333 1025 gemm 4096 4096 64 > "$work/gemm"
TSR_CACHE=off "$matrix" attention 8 512 64 attention 8 1024 64 attention 4 2048 64 attention 4 512 128 attention 4 1024 128 \
    attention 2 2048 128 > "$work/attention"
"$build/bench/jit" --runs 31 stream > "$work/stream"
"$build/bench/jit" --runs 21 compile > "$work/compile"
"$build/bench/everyday" --runs 9 > "$work/everyday"
TSR_JIT=hot "$build/bench/everyday" --runs 9 | sed 's/^{/{"list": "long", /' > "$work/long"
for threads in 1 2; do
    "$matrix" --alone --threads "$threads" --only 'cpu tile' gemm 2048 2048 2048 attention 8 1024 64 |
        sed "s/^{/{\"threads\": $threads, /" > "$work/threads$threads"
done
run="run bench/kernels/saxpy.wgsl --bind 0,0=iota:f32:64 --bind 0,1=iota:f32:64"
# shellcheck disable=SC2086
"$tessera" $run > /dev/null 2>&1 # into the cache
# shellcheck disable=SC2086
"$build/bench/compare" --runs 101 'start with the cache, whole process' true /bin/true -- check "$tessera" check \
    bench/kernels/saxpy.wgsl -- run "$tessera" $run > "$work/start"
: > "$work/lavapipe"
if [ -x build/testbed/bin/run ]; then
    build/testbed/bin/run "$matrix" --runs 5 device vulkan:0 512 > "$work/lavapipe"
fi

cat "$work/gemm" "$work/attention" "$work/stream" "$work/compile" "$work/long" "$work/everyday" "$work/threads1" "$work/threads2" \
    "$work/start" "$work/lavapipe" > "$work/all"
mkdir -p "$(dirname "$out")"
cp "$work/all" "$out.part"
mv "$out.part" "$out"

awk '
function field(key,    at, rest) { # of this line, as text
    at = index($0, "\"" key "\": ")
    if (!at) return ""
    rest = substr($0, at + length(key) + 4)
    if (rest ~ /^\[/) return substr(rest, 2, index(rest, "]") - 2)
    if (rest ~ /^"/) return substr(rest, 2, index(substr(rest, 2), "\"") - 1)
    sub(/[,}].*/, "", rest)
    return rest
}
function row(what, value, asked) {
    if (value == "" || value == "null") value = "-"
    printf "%-66s %10s   %s\n", what, value, asked
}
FILENAME ~ /gemm$/ && field("kernel") != "" {
    size = field("gemm"); gsub(/, /, " x ", size)
    name = field("kernel"); best = field("of_best_f32_peer"); own = field("of_own_f32")
    if (name == "f32 cpu tile") row("GEMM " size ", " name ": of the better library", best, "0.9")
    else if (name == "f32 gpu tile" && size !~ /64$/) row("GEMM " size ", " name ": of the better library", best, "0.75")
    else if (name == "i8 cpu tile") row("GEMM " size ", " name ": of our own f32", own, "3")
    else if (name == "f16 cpu tile") row("GEMM " size ", " name ": of our own f32", own, "0.85")
    else if (name ~ /^f32/) row("GEMM " size ", " name ": of the better library", best, "")
}
FILENAME ~ /gemm$/ && field("peer") != "" { size = field("gemm"); gsub(/, /, " x ", size); peers[++peer_count] = sprintf("%-22s %-14s %8.1f", size, field("peer"), field("gops")) }
FILENAME ~ /attention$/ {
    split(field("attention"), a, ", ")
    row("attention, head " a[3] ", " a[2] " tokens: of the f32 peak", field("of_f32_peak"), "0.6")
    row("    of OpenBLAS and a vectorised exp", field("ratio"), "")
}
FILENAME ~ /stream$/ { row(field("stream") ", " field("elements") " elements: time of " field("peer"), field("ratio"), field("peer") == "C" ? "1.2 at most" : "") }
FILENAME ~ /long$/ { long_list[field("everyday")] = field("ratio") }
FILENAME ~ /everyday$/ {
    name = field("everyday")
    row("everyday " name ": time of " field("peer") "; by the long list", field("ratio") "; " long_list[name],
        name ~ /^(gray|gelu4)$/ ? "1.2 at most" : "")
}
FILENAME ~ /compile$/ { row("compiling " field("compile") (field("lines") ? ", " field("llvm_lines") " lines of LLVM IR" : "") ", ms", field("ms"), field("llvm_lines") + 0 > 300 && field("llvm_lines") + 0 < 360 ? "12 at most" : "") }
FILENAME ~ /threads/ {
    key = field("kernel") != "" ? field("kernel") : "attention"
    value = field("gops") != "" ? field("gops") : field("gflops")
    if (field("peer") != "") next
    if (field("threads") == 1) one[key] = value
    else row("two threads, " key ": of one", sprintf("%.2f", value / one[key]), "1.9")
}
FILENAME ~ /start$/ {
    line = $0
    while (match(line, /\{"name": "[^"]*"[^}]*\}/)) {
        entry = substr(line, RSTART, RLENGTH); line = substr(line, RSTART + RLENGTH)
        name = entry; sub(/^\{"name": "/, "", name); sub(/".*/, "", name)
        split(entry, f, /[:,] /)
        row("whole process, " (name == "run" ? "run from the cache" : name) ", ms", f[4], name == "run" ? "3 at most" : "")
    }
}
FILENAME ~ /lavapipe$/ { row("lavapipe, 512, " field("kernel") " (" field("device_gops") " there): times as fast", field("ratio"), field("kernel") ~ /^f16/ ? "20" : "50") }
END {
    print ""
    print "peers, 10^9 operations a second"
    for (i = 1; i <= peer_count; i++) print "    " peers[i]
}' "$work/gemm" "$work/attention" "$work/stream" "$work/compile" "$work/long" "$work/everyday" "$work/threads1" "$work/threads2" \
    "$work/start" "$work/lavapipe"
[ -s "$work/lavapipe" ] || echo 'lavapipe: not there; tools/vulkan-testbed sets it up'
