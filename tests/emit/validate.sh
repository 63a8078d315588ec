#!/bin/bash
# Every compute entry point of examples, benchmarks and tests becomes a module that spirv-val accepts, in every version and
# for every --oob; the text is one that spirv-as reads back to a valid module of the same size. Of tests/wgsl/accept one file
# in four is taken, chosen by TSR_SEED (printed; the day of the year when it is not set); TSR_ALL=1 takes all.
. "$(dirname "$0")/lib.sh"
need_testbed
count=0 refused=0 number=0 left_out=0 seed=${TSR_SEED:-$(date +%-j)}

# check FILE ENTRY ENVIRONMENT OPTION...
check() {
    local file=$1 entry=$2 environment=$3
    shift 3
    if ! compile "$file" "$entry" --to spirv -o "$work/m.spv" "$@"; then
        # E06: the program cannot be built at all (its resources, its sizes).
        if grep -q '\[E06[0-9][0-9]\]' "$work/out"; then refused=$((refused + 1))
        else fail "$file $entry $*: not compiled"; fi
        return
    fi
    count=$((count + 1))
    "$testbed/bin/spirv-val" --target-env "$environment" "$work/m.spv" >"$work/out" 2>&1 || fail "$file $entry $*: not valid"
}

# The module as text, and back: check_text FILE ENTRY OPTION...
check_text() {
    compile "$@" --to spirv -o "$work/m.spv" && compile "$@" --to spirv-text -o "$work/m.txt" || return
    "$testbed/bin/spirv-as" --target-env spv1.6 -o "$work/t.spv" "$work/m.txt" >"$work/out" 2>&1 &&
        "$testbed/bin/spirv-val" --target-env vulkan1.3 "$work/t.spv" >>"$work/out" 2>&1 ||
        fail "$1 $2: its text is not read back"
    [ "$(wc -c <"$work/m.spv")" = "$(wc -c <"$work/t.spv")" ] || fail "$1 $2: its text makes another module"
}

for file in examples/*.wgsl bench/kernels/*.wgsl tests/exec/*.wgsl tests/wgsl/accept/*.wgsl tests/emit/*.wgsl tests/emit/golden/*.wgsl; do
    number=$((number + 1))
    if [[ $file == tests/wgsl/accept/* && -z ${TSR_ALL:-} && $(((number + seed) % 4)) != 0 ]]; then
        left_out=$((left_out + 1))
        continue
    fi
    for entry in $(entries "$file"); do
        check "$file" "$entry" vulkan1.3
        check "$file" "$entry" vulkan1.3 --oob unchecked --lines
        check_text "$file" "$entry"
        grep -q '^enable.*subgroups' "$file" || continue
        check "$file" "$entry" vulkan1.3 --maximal-reconvergence
        check_text "$file" "$entry" --maximal-reconvergence
    done
done
for file in examples/*.wgsl tests/emit/*.wgsl; do
    for entry in $(entries "$file"); do
        check "$file" "$entry" vulkan1.1 --spirv-version 1.3
        check "$file" "$entry" vulkan1.2 --spirv-version 1.5
        check "$file" "$entry" vulkan1.3 --oob clamp
        check "$file" "$entry" vulkan1.3 --oob restart
        check "$file" "$entry" vulkan1.3 --subgroup-size 32
    done
done
rm -f "$work/out"
[ $left_out = 0 ] || echo "$left_out files were left out, TSR_SEED=$seed; TSR_ALL=1 takes all"
echo "$count modules, $failed failures; $refused entry points cannot be built"
[ $count -gt 100 ] || fail "there are too few modules"
[ $failed -eq 0 ]
