# Sourced by the scripts here. TESSERA is the command. TSR_TESTBED names the folder of tools/vulkan-testbed (build/testbed
# unless set); what needs it is skipped without it.
: "${TESSERA:?set TESSERA to the command}"
cd "${TSR_SOURCE:-.}" || exit 3
testbed=${TSR_TESTBED:-build/testbed}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "FAIL $1"
    [ ! -s "$work/out" ] || head -n 20 "$work/out"
    failed=$((failed + 1))
}

need_testbed() {
    [ -x "$testbed/bin/spirv-val" ] && return
    echo "skipped: there is no $testbed/bin/spirv-val; tools/vulkan-testbed sets it up"
    exit 77
}

# The compute entry points of a program, one a line.
entries() {
    "$TESSERA" reflect "$1" 2>/dev/null | sed -n 's/^compute entry point //p'
}

# compile FILE ENTRY OPTION...: as tessera compile; overrides without a value get 16.
compile() {
    local file=$1 entry=$2 name
    shift 2
    set -- "$file" --entry "$entry" "$@"
    for _ in 1 2 3 4 5 6 7 8; do
        "$TESSERA" compile "$@" >"$work/out" 2>&1 && return 0
        name=$(sed -n 's/.*override `\([^`]*\)` has no default.*/\1/p' "$work/out" | head -n 1)
        if [ -z "$name" ]; then
            name=$(sed -n 's/.*override with @id(\([0-9]*\)) has no default.*/\1/p' "$work/out" | head -n 1)
        fi
        [ -n "$name" ] || return 1
        set -- "$@" --set "$name=16"
    done
    return 1
}
