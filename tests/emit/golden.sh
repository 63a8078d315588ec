#!/bin/bash
# tests/emit/golden/NAME.wgsl must become NAME.spvasm.txt, to the byte; TSR_BLESS=1 rewrites those. Twice the same program
# is twice the same module.
. "$(dirname "$0")/lib.sh"
for file in tests/emit/golden/*.wgsl; do
    golden=${file%.wgsl}.spvasm.txt
    compile "$file" main --to spirv-text -o "$work/text" || fail "$file: not compiled"
    if [ "${TSR_BLESS:-0}" = 1 ]; then cp "$work/text" "$golden"
    else diff -u "$golden" "$work/text" >"$work/out" 2>&1 || fail "$file: not as $golden (TSR_BLESS=1 rewrites it)"; fi
done
for file in examples/*.wgsl tests/emit/*.wgsl; do
    for entry in $(entries "$file"); do
        compile "$file" "$entry" --to spirv -o "$work/one" && compile "$file" "$entry" --to spirv -o "$work/two" &&
            cmp "$work/one" "$work/two" >"$work/out" 2>&1 || fail "$file $entry: two runs differ"
    done
done
[ $failed -eq 0 ]
