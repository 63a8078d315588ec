# Sourced by the scripts here: a scratch folder, a kernel, and checks that say what went wrong.
# TESSERA is the command under test.
: "${TESSERA:?set TESSERA to the command}"
unset NO_COLOR TERM
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

# expect STATUS TEXT COMMAND...: the exit status, and what standard error must hold (grep -F; "" is anything). Whatever
# the command does, it must not crash: a sanitizer's or a signal's exit status never passes.
expect() {
    local status=$1 text=$2
    shift 2
    "$@" >stdout 2>stderr
    local got=$?
    if [ $got -ne "$status" ]; then
        echo "FAIL: exit status $got, not $status: $*"
        head -5 stderr
        failures=$((failures + 1))
    elif [ -n "$text" ] && ! grep -qF -e "$text" stderr; then
        echo "FAIL: no \"$text\" from: $*"
        head -5 stderr
        failures=$((failures + 1))
    fi
}

check() { # check WHAT COMMAND...: the command must succeed
    local what=$1
    shift
    "$@" >/dev/null 2>&1 || { echo "FAIL: $what: $*"; failures=$((failures + 1)); }
}

# npy FILE DICTIONARY DATA: a version 1 file; DATA in printf's escapes.
npy() {
    local length=$((${#2} + 1))
    {
        printf '\223NUMPY\001\000'
        printf "\\x$(printf %02x $((length % 256)))\\x$(printf %02x $((length / 256)))"
        printf '%s\n' "$2"
        printf "$3"
    } >"$1"
}

finish() {
    [ $failures -eq 0 ] || { echo "$failures checks failed"; exit 1; }
    exit 0
}

cat >add.wgsl <<'WGSL'
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
override extra = 0u;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&b) { b[id.x] = a[id.x] + extra; }
}
WGSL
