#!/bin/sh
# tests/sanitize/bad/* hold one planted fault each, which --sanitize=all must find at its place and nothing else;
# tests/sanitize/clean/*.wgsl must bring no fault. planted/ holds kernels by an author who did not know the sanitizer, one
# fault each of ten kinds, and repaired/ the same without it. The first lines of a file say how to run it and what has no place:
#     //! run --bind 0,0=iota:f32:64 --dispatch 2
#     //! find S0901        must be found, without a place
#     //! also S0801        may be found, anywhere
#     //! entry ...         other words are for people
# A line that ends in "// <- S0301" is where that must be found; of a race, one of its two places.
#
# TESSERA is the command; arguments are files to run instead of all. Prints the failures and a line of counts.
cd "${TSR_SOURCE:-.}" || exit 3
: "${TESSERA:=build/tessera}"
[ -x "$TESSERA" ] || { echo "tests/sanitize: no command at $TESSERA"; exit 77; }
out=$(mktemp) || exit 3
trap 'rm -f "$out"' EXIT

# Whether what stands in $out is what file $1 asks for; says what differs.
compare() {
    awk -v file="$1" '
        NR == FNR {
            line = FNR
            if ($0 ~ /^\/\/! find /) placeless[$3] = 1
            if ($0 ~ /^\/\/! also /) also[$3] = 1
            if (match($0, /\/\/ <- S[0-9]+/)) {
                n++
                want[n] = substr($0, RSTART + 6, RLENGTH - 6)
                at[n] = FNR
            }
            next
        }
        # A finding: its number, its line, then perhaps the line of the other access.
        index($0, file ":") == 1 && match($0, /\[S[0-9]+\]$/) {
            m++
            got[m] = substr($0, RSTART + 1, RLENGTH - 2)
            fault[m] = index($0, ": warning: ") > 0
            rest = substr($0, length(file) + 2)
            place[m] = rest ~ /^[0-9]/ ? rest + 0 : 0
            text[m] = $0
            next
        }
        index($0, ": note: the other access: ") || index($0, ": note: it is computed from this") { other[m] = substr($0, length(file) + 2) + 0 }
        END {
            for (i = 1; i <= n; i++) {
                found = 0
                for (j = 1; j <= m; j++)
                    if (got[j] == want[i] && (place[j] == at[i] || other[j] == at[i])) { found = 1; met[j] = 1 }
                if (!found) { print "  missing " want[i] " at line " at[i]; bad = 1 }
            }
            for (w in placeless) {
                found = 0
                for (j = 1; j <= m; j++)
                    if (got[j] == w) { found = 1; met[j] = 1 }
                if (!found) { print "  missing " w; bad = 1 }
            }
            for (j = 1; j <= m; j++)
                if (fault[j] && !met[j] && !(got[j] in also)) { print "  unexpected: " text[j]; bad = 1 }
            exit bad
        }' "$1" "$out"
}

passed=0
failed=0
[ $# -gt 0 ] || set -- tests/sanitize/*/*.wgsl tests/sanitize/*/*.ir
for file in "$@"; do
    options=$(sed -n 's,^//! run ,,p' "$file")
    case $options in *--sanitize*) ;; *) options="$options --sanitize=all" ;; esac
    # shellcheck disable=SC2086
    "$TESSERA" run "$file" $options >"$out" 2>&1
    status=$?
    faults=$(sed -n 's/^sanitizer: \([0-9]*\) fault.*/\1/p' "$out")
    want=0
    [ "${faults:-0}" -gt 0 ] && want=1
    if [ -n "$faults" ] && [ $status -eq $want ] && compare "$file"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $file (exit status $status)"
        sed 's/^/  /' "$out" | head -30
    fi
done
echo "tests/sanitize: $passed passed, $failed failed"
[ $failed -eq 0 ]
