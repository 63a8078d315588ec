#!/bin/sh
# tests/wgsl/accept/*.wgsl must pass `tessera check`, tests/wgsl/reject/*.wgsl must not. The first lines of a file say
# what must be reported, all of it and nothing else:
#     //! error line 4 E0203 "a piece of the text"
#     //! warning line 7 E0208
# Each part behind the first word is optional. A file without such lines must bring no diagnostic (accept) or any error
# (reject).
#
# TESSERA is the command; arguments are files to run instead of all. Prints the failures and a line of counts.
cd "${TSR_SOURCE:-.}" || exit 3
: "${TESSERA:=build/tessera}"
[ -x "$TESSERA" ] || { echo "tests/wgsl: no command at $TESSERA"; exit 77; }
out=$(mktemp) || exit 3
trap 'rm -f "$out"' EXIT

# Whether the diagnostics in $out are those that file $1 asks for; says what differs.
compare() {
    awk -v file="$1" '
        NR == FNR {
            if ($0 !~ /^\/\/! (error|warning)/) next
            n++
            kind[n] = ": " $2 ": "
            line[n] = match($0, / line [0-9]+/) ? substr($0, RSTART + 6, RLENGTH - 6) : ""
            code[n] = match($0, / E[0-9][0-9][0-9][0-9]/) ? "[" substr($0, RSTART + 1, 5) "]" : ""
            text[n] = match($0, /".*"/) ? substr($0, RSTART + 1, RLENGTH - 2) : ""
            next
        }
        index($0, file ":") != 1 || !match($0, /: (error|warning): /) { next }
        {
            m++
            for (i = 1; i <= n; i++) {
                if (met[i] || !index($0, kind[i])) continue
                if (line[i] != "" && index($0, file ":" line[i] ":") != 1) continue
                if (!index($0, code[i]) || !index($0, text[i])) continue
                met[i] = 1
                next
            }
            other[++others] = $0
        }
        END {
            if (n == 0 && file ~ /\/reject\//) exit m == 0
            for (i = 1; i <= n; i++)
                if (!met[i]) { print "  missing" kind[i] "line " line[i] " " code[i] " " text[i]; bad = 1 }
            for (i = 1; i <= others; i++) { print "  unexpected: " other[i]; bad = 1 }
            exit bad
        }' "$1" "$out"
}

passed=0
failed=0
[ $# -gt 0 ] || set -- tests/wgsl/accept/*.wgsl tests/wgsl/reject/*.wgsl
for file in "$@"; do
    case $file in */reject/*) want=1 ;; *) want=0 ;; esac
    "$TESSERA" check "$file" >"$out" 2>&1
    status=$?
    if [ $status -eq $want ] && compare "$file"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $file (exit status $status, wanted $want)"
        [ $status -eq $want ] || sed 's/^/  /' "$out" | head -20
    fi
done
echo "tests/wgsl: $passed passed, $failed failed"
[ $failed -eq 0 ]
