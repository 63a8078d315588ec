#!/bin/bash
# The execution cases as native code of each libLLVM at hand: those of tools/llvms (which TSR_ALL=1 sets up), else those
# that are installed. One case in four, chosen by TSR_SEED (printed; the day of the year when it is not set), and a few
# random programs, with both lists of passes; TSR_ALL=1 runs all cases, exact bits too, and 60 random programs.
: "${TSR_SOURCE:?set TSR_SOURCE to the source folder}" "${TSR_BUILD:?set TSR_BUILD to the build folder}"
cd "$TSR_SOURCE" || exit 3
if [ "${TSR_SANITIZE:-0}" != 0 ] || [[ ${CC:-cc} = *clang* ]]; then
    echo "skipped: the release build asks"
    exit 77
fi
[ -z "${TSR_ALL:-}" ] || tools/llvms >/dev/null || : # the reason was printed; what is installed may do
if [ -e build/llvms/complete ]; then
    versions=$(build/llvms/bin/versions)
    with() { "$TSR_SOURCE/build/llvms/bin/run" "$@"; }
else
    # "19 /usr/lib/.../libLLVM.so.19.1", one of each version
    installed=$(ldconfig -p 2>/dev/null | sed -n 's/^\s*libLLVM[-.]\(so\.\)*\([0-9]*\)[. ].* => \(.*\)/\2 \3/p' |
        sort -k1,1n -u | awk '$1 >= 15')
    versions=$(echo "$installed" | cut -d' ' -f1)
    with() {
        local library
        library=$(echo "$installed" | sed -n "s/^$1 //p")
        shift
        TSR_LLVM=$library "$@"
    }
fi
[ -n "$versions" ] || { echo "skipped: no libLLVM is installed; tools/llvms sets some up"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
seed=${TSR_SEED:-$(date +%-j)} number=0 cases=() failed=0
for file in tests/exec/*.wgsl; do
    number=$((number + 1))
    [ -z "${TSR_ALL:-}" ] && [ $(((number + seed) % 4)) != 0 ] || cases+=("$file")
done
export TSR_CACHE=off TSR_JIT=1
# try VERSION WHAT COMMAND...: it succeeds, and no program went to the interpreter for want of a libLLVM.
try() {
    local version=$1 what=$2 said
    shift 2
    said=$(with "$version" "$@" 2>&1) && [[ $said != *LLVM* ]] && return
    printf 'FAIL LLVM %s, %s\n%s\n' "$version" "$what" "$(echo "$said" | tail -n 40)"
    failed=$((failed + 1))
}
# The long list is taken: what has one of its names not gets the short one, and the same code.
cat >"$work/sum.wgsl" <<'WGSL'
@group(0) @binding(0) var<storage, read_write> d: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
    var sum = 0u;
    for (var n = 0u; n < 5u; n++) { sum += d[i + n * 64u]; }
    d[i] = sum;
}
WGSL
takes_long_list() {
    local version=$1 list
    for list in first hot; do
        (cd "$work" && TSR_JIT=$list with "$version" "$TSR_BUILD/tessera" run --device cpu --dump asm \
            --bind 0,0=iota:u32:320 sum.wgsl) >"$work/said" 2>&1 || { cat "$work/said"; return 1; }
        mv "$work/main.s" "$work/$list.s"
    done
    ! cmp -s "$work/first.s" "$work/hot.s"
}
for version in $versions; do
    takes_long_list "$version" || { echo "FAIL LLVM $version: the long list"; failed=$((failed + 1)); }
    try "$version" "cases" "$TSR_BUILD/exec_runner" --device cpu "${cases[@]}"
    TSR_JIT=hot try "$version" "cases, the long list" "$TSR_BUILD/exec_runner" --device cpu "${cases[@]}" \
        tests/exec/bit_counts.wgsl # which depends on the passes
    if [ -n "${TSR_ALL:-}" ]; then
        TSR_EXACT_BITS=1 try "$version" "exact bits" "$TSR_BUILD/exec_runner" --device cpu "${cases[@]}"
        try "$version" "random programs" "$TSR_BUILD/unit_jit_random"
        TSR_JIT=hot try "$version" "random programs, the long list" "$TSR_BUILD/unit_jit_random"
    else
        JIT_PROGRAMS=3 JIT_SEED=$((seed * 3)) try "$version" "random programs" "$TSR_BUILD/unit_jit_random"
        JIT_PROGRAMS=3 JIT_SEED=$((seed * 3)) TSR_JIT=hot try "$version" "random programs, the long list" \
            "$TSR_BUILD/unit_jit_random"
    fi
done
echo "${#cases[@]} cases on LLVM $(echo "$versions" | xargs), TSR_SEED=$seed"
[ $failed = 0 ]
