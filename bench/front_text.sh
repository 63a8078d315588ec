#!/bin/sh
# Writes a long WGSL text for front.sh: many functions of one kind, or whole kernels repeated under new names.
# usage: front_text.sh functions|called|kernels BYTES >FILE      called: the functions, and main calls each of them
set -eu
cd "$(dirname "$0")/.."

# Functions as kernels have them, each a little different.
write_functions() { # write_functions BYTES; CALLED=1: main calls all of them, else the first and the last
    awk -v wanted="$1" -v called="${CALLED:-0}" 'BEGIN {
        print "struct Sizes { m: u32, n: u32, k: u32 }"
        print "@group(0) @binding(0) var<storage, read> a: array<f32>;"
        print "@group(0) @binding(1) var<storage, read_write> c: array<f32>;"
        print "@group(0) @binding(2) var<uniform> sizes: Sizes;"
        print "var<workgroup> tile: array<f32, 1024>;"
        for (i = 0; bytes < wanted; i++) {
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
        if (called) {
            print "    var s = 0.0;"
            for (k = 0; k < i; k++) print "    s += step_" k "(0, " k ", lane);"
            print "    c[lane] = s;"
        } else {
            print "    c[lane] = step_0(0, 0, lane) + step_" i - 1 "(0, 0, lane);"
        }
        print "}"
    }'
}

# One file without its directives, with a $, which WGSL does not have, in every name of its module scope: the number of
# the copy goes there. A letter for each file keeps names apart that two files use. Members keep their names.
mark_names() { # mark_names FILE LETTER
    script=$(sed -nE 's/^(@[^ ]+ )*(fn|const|override|struct|alias|var|var<[^>]*>) ([A-Za-z_0-9]+).*/\3/p' "$1" |
        sed "s,.*,s/\\\\b&\\\\b/&_$2\\$/g,")
    sed -E '/^(enable|diagnostic|requires)\b/d' "$1" | sed -e "$script" \
        -e "s/\.\([a-z]*\)_$2\\$/.\1/g" -e "s/^\( *[a-z]*\)_$2\\$:/\1:/"
}

write_kernels() {
    echo "diagnostic(off, chromium.subgroup_matrix_uniformity);"
    echo "diagnostic(off, subgroup_uniformity);"
    echo "enable f16, subgroups, chromium_experimental_subgroup_matrix;"
    echo "requires uniform_buffer_standard_layout;"
    letters=abcdefghijklmnopqrstuvwxyz
    for file in bench/kernels/*.wgsl examples/*.wgsl; do
        mark_names "$file" "${letters%"${letters#?}"}"
        letters=${letters#?}
    done | awk -v wanted="$1" '{ line[NR] = $0 }
        END {
            for (i = 0; bytes < wanted; i++) {
                for (k = 1; k <= NR; k++) {
                    text = line[k]
                    gsub(/\$/, i, text)
                    print text
                    bytes += length(text) + 1
                }
            }
        }'
}

case $1 in
functions) write_functions "$2" ;;
called) CALLED=1 write_functions "$2" ;;
kernels) write_kernels "$2" ;;
esac
