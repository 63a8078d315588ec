#!/bin/bash
# Every number of src/base/diag_*.def is explained, and the examples keep their word: the wrong one gets that number and
# no other, the right one gets none.
. "$(dirname "$0")/lib.sh"
source=${TSR_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}

# example NUMBER WORD: the lines below "Wrong:" or "Right:", as a file for their command; its options in $options.
example() {
    awk -v word="$2:" '$0 == word { on = 1; next } /^[^ ]/ { on = 0 } on && NF { print substr($0, 5) }' "explain.$1" >example.txt
    file=example.wgsl
    command=check
    options=
    grep -q '^// In words:' example.txt && return 1
    grep -q '^tessera_ir' example.txt && file=example.ir
    if grep -q '^// tessera ' example.txt; then
        read -r _ _ command options <example.txt
        [ "$command" = compile ] && options="$options -o /dev/null"
    fi
    mv example.txt "$file"
}
try() { # the example: its numbers, one a line
    "$TESSERA" "$command" "$file" $options >said 2>&1
    status=$?
    grep -oE '\bE[0-9]{4}\b' said | grep -vE "^E0000$" | sort -u | tr '\n' ' '
    return $status
}

numbers=$(cat "$source"/src/base/diag_*.def | sed -n 's/^DIAG([A-Z_0-9]*, \([0-9]*\),.*/\1/p')
[ "$(echo "$numbers" | wc -l)" -gt 150 ] || { echo "FAIL: no numbers found"; exit 1; }
tried=0
for number in $numbers; do
    id=$(printf 'E%04d' "$number")
    if ! "$TESSERA" explain "$number" >"explain.$number" 2>/dev/null; then
        echo "FAIL: $id is not explained"
        failures=$((failures + 1))
        continue
    fi
    check "$id has a title" grep -q "^$id: ." "explain.$number"
    if example "$number" Wrong; then
        tried=$((tried + 1))
        got=$(try | sed 's/tessera//')
        check "$id: the wrong example gets $got" test "$got" = "$id "
    fi
    if example "$number" Right; then
        got=$(try)
        status=$?
        check "$id: the right example ends with $status, $got: $(head -1 said)" test "$status$got" = 0
    fi
done
check "most examples are programs" test "$tried" -gt 130

# Forms of the number, the list, and what is none.
for form in E0304 e304 304 '[E0304]' 0304; do
    check "explain $form" test "$("$TESSERA" explain "$form" | head -1)" = "$("$TESSERA" explain E0304 | head -1)"
done
check "the list is complete" test "$("$TESSERA" explain | wc -l)" -eq "$(echo "$numbers" | wc -l)"
expect 1 "there is no diagnostic E9998" "$TESSERA" explain 9998
expect 2 "is no number of a diagnostic" "$TESSERA" explain EXPR
expect 2 "docs/sanitizer.md tells" "$TESSERA" explain S1001
expect 2 "is no number of a diagnostic" "$TESSERA" explain 99999999999999999999
finish
