#!/bin/sh
# README.md and examples/README.md do what they say: runs their marked shell blocks in order, in a folder that looks
# like a checkout after `make demo`, and compares what they print with the block that claims it.
#
#   <!-- run -->                    the next sh block must succeed
#   <!-- run, fails -->             ... must end with status 1
#   <!-- run, needs COMMAND -->     ... is left out where there is no COMMAND
#   <!-- output -->                 the next text block is what the last one printed, exactly
set -eu
source=$TSR_SOURCE
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/tree/build" "$tmp/blocks" "$tmp/bin"
ln -s "$TSR_BUILD" "$tmp/tree/build/release"
for item in examples include docs README.md; do ln -s "$source/$item" "$tmp/tree/$item"; done

# cc as this build was compiled: its sanitizers must be linked into a program that uses the library.
sanitizers=
if [ "${TSR_SANITIZE:-0}" = 1 ]; then sanitizers='-fsanitize=address,undefined'; fi
printf '#!/bin/sh\nexec %s %s "$@"\n' "${CC:-gcc}" "$sanitizers" > "$tmp/bin/cc"
chmod +x "$tmp/bin/cc"

# blocks/NN.KIND, KIND one of: run fails output; blocks/NN.needs names a command.
awk -v dir="$tmp/blocks" '
    FNR == 1 { mark = ""; open = 0 }
    /^<!-- (run|output).* -->$/ { mark = $0; next }
    /^```/ && open { open = 0; close(file); next }
    /^```/ && mark != "" {
        name = sprintf("%s/%03d", dir, ++count)
        file = name "." (mark ~ /output/ ? "output" : mark ~ /fails/ ? "fails" : "run")
        printf "" > file
        if (match(mark, /needs [^ ]+/)) {
            print substr(mark, RSTART + 6, RLENGTH - 6) > (name ".needs")
            close(name ".needs")
        }
        mark = ""; open = 1; next
    }
    /^```/ { other = !other; next }
    open { print > file }
' "$source/README.md" "$source/examples/README.md"

cd "$tmp/tree"
PATH=$tmp/bin:$PATH
export PATH
count=0 left_out=0 failures=0
: > "$tmp/environment"
find "$tmp/blocks" -name '*.run' -o -name '*.fails' -o -name '*.output' | sort > "$tmp/order"
while read -r block; do
    needs=${block%.*}.needs
    if [ -e "$needs" ] && ! command -v "$(cat "$needs")" > /dev/null 2>&1; then
        left_out=$((left_out + 1))
        continue
    fi
    case $block in
    *.output)
        if ! diff -u "$block" "$tmp/got"; then
            echo "README.md claims the first (-), this build prints the second (+)"
            failures=$((failures + 1))
        fi
        continue
        ;;
    *.fails) expected=1 ;;
    *) expected=0 ;;
    esac
    count=$((count + 1))
    status=0
    # One block is one shell; what it exports is there in the next.
    {
        cat "$tmp/environment"
        echo "set -e; trap 'export -p > \"$tmp/environment\"' EXIT"
        cat "$block"
    } > "$tmp/script"
    sh "$tmp/script" > "$tmp/got" 2>&1 < /dev/null || status=$?
    if [ "$status" != "$expected" ]; then
        echo "this block of README.md ended with status $status, not $expected:"
        cat "$block" "$tmp/got"
        failures=$((failures + 1))
    fi
done < "$tmp/order"
[ "$count" -gt 5 ] || { echo "only $count blocks found: are they still marked?"; failures=$((failures + 1)); }
echo "$count blocks ran, $failures failures, $left_out left out"
[ "$failures" = 0 ]
