#!/bin/sh
# The shared library exports exactly the functions that the public headers declare, under its soname; and no header
# has a public function that tools/exports would overlook.
set -eu
LC_ALL=C
export LC_ALL
lib=$TSR_BUILD/libtessera.so
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

tools/exports include/*.h > "$tmp/declared"
declared=$(wc -l < "$tmp/declared")
marked=$(cat include/*.h | grep -v '^#' | grep -c 'TSR_API')
[ "$declared" = "$marked" ] || { echo "TSR_API stands $marked times, tools/exports sees $declared"; exit 1; }

nm -D --defined-only "$lib" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort > "$tmp/exported"
if [ "${TSR_SANITIZE:-0}" = 1 ]; then # the sanitizers export symbols of their own
    grep '^tsr_' "$tmp/exported" > "$tmp/ours"
    mv "$tmp/ours" "$tmp/exported"
fi
diff "$tmp/declared" "$tmp/exported" || { echo "the headers (<) and libtessera.so (>) differ"; exit 1; }

soname=$(readelf -d "$lib" | sed -n 's/.*SONAME.*\[\(.*\)\].*/\1/p')
[ "$soname" = libtessera.so.0 ] || { echo "soname is $soname"; exit 1; }
echo "$declared functions declared and exported, soname $soname"
