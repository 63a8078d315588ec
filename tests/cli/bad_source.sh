#!/bin/bash
# Programs that are broken in every way: a message with its place and exit status 1, never a crash.
. "$(dirname "$0")/lib.sh"

: >empty.wgsl
expect 0 "empty.wgsl: ok" "$TESSERA" check empty.wgsl
expect 1 "no compute entry point" "$TESSERA" run empty.wgsl
head -c 20000 "$TESSERA" >binary.wgsl
expect 1 "binary.wgsl:1:" "$TESSERA" check binary.wgsl
printf 'const a = 1;\nconst \377\376 = 2;\n' >latin.wgsl
expect 1 "latin.wgsl:2:7: error: " "$TESSERA" check latin.wgsl
head -c 150 add.wgsl >cut.wgsl
expect 1 "cut.wgsl:" "$TESSERA" check cut.wgsl
for n in $(seq 1 7 300); do
    head -c "$n" add.wgsl >cut.wgsl
    "$TESSERA" check cut.wgsl >/dev/null 2>&1
    check "cut after $n bytes" test $? -le 1
done
printf 'fn f() -> i32 { return %s1%s; }\n' "$(printf '(%.0s' $(seq 100000))" "$(printf ')%.0s' $(seq 100000))" >deep.wgsl
expect 1 "deep.wgsl:1:" "$TESSERA" check deep.wgsl
printf 'fn f() { %s %s }\n' "$(printf '{%.0s' $(seq 100000))" "$(printf '}%.0s' $(seq 100000))" >blocks.wgsl
expect 1 "blocks.wgsl:1:" "$TESSERA" check blocks.wgsl
printf 'fn f() { let a = %s1; }\n' "$(printf -- '-%.0s ' $(seq 100000))" >minus.wgsl
expect 1 "minus.wgsl:1:" "$TESSERA" check minus.wgsl
printf 'alias a = %sf32%s;\n' "$(printf 'array<%.0s' $(seq 10000))" "$(printf ',2>%.0s' $(seq 10000))" >types.wgsl
expect 1 "types.wgsl:1:" "$TESSERA" check types.wgsl
echo 'fn a() { b(); } fn b() { a(); }' >recursive.wgsl
expect 1 "recursive.wgsl:1:" "$TESSERA" check recursive.wgsl
echo 'const a = b; const b = a;' >cyclic.wgsl
expect 1 "cyclic.wgsl:1:" "$TESSERA" check cyclic.wgsl
echo 'struct S { s: S }' >self.wgsl
expect 1 "self.wgsl:1:" "$TESSERA" check self.wgsl
echo 'override a = b; override b = a;' >overrides.wgsl
expect 1 "overrides.wgsl:1:" "$TESSERA" check overrides.wgsl
printf 'const a = 1;\r\nconst a = 2;\r\n' >crlf.wgsl
expect 1 "crlf.wgsl:2:7: error: " "$TESSERA" check crlf.wgsl
printf 'tessera_ir 1\nfn main(' >cut.ir
expect 1 "cut.ir:" "$TESSERA" check cut.ir

# 100 MB: a comment goes through; nonsense is refused. Neither takes long.
{ printf '/*'; head -c 100000000 /dev/zero | tr '\0' ' '; printf '*/ fn f() {}'; } >large.wgsl
expect 0 "large.wgsl: ok" timeout 60 "$TESSERA" check large.wgsl
head -c 100000000 /dev/zero >large.wgsl
expect 1 "large.wgsl:" timeout 60 "$TESSERA" check large.wgsl
rm large.wgsl

# Endless and huge files are refused by their size.
truncate -s 3G sparse.wgsl
expect 1 "larger than 2147483648 bytes" "$TESSERA" check sparse.wgsl
rm sparse.wgsl

# A terminal cannot be steered from a file.
printf 'const \033[2J = 1;\n' >escape.wgsl
"$TESSERA" check escape.wgsl 2>stderr
check "no escape" bash -c '! grep -q "$(printf "\033")" stderr'

# Several files: all are looked at, the worst status counts.
expect 1 "add.wgsl: ok" "$TESSERA" check cyclic.wgsl add.wgsl
expect 3 "add.wgsl: ok" "$TESSERA" check missing.wgsl add.wgsl
expect 1 "" "$TESSERA" check --json cyclic.wgsl add.wgsl
check "json" grep -q '"ok": true' stdout
check "json" grep -q '"severity": "error"' stdout
expect 1 "the text holds a null character" "$TESSERA" check /dev/zero
expect 2 "--sarif needs the name of a file" "$TESSERA" check add.wgsl --sarif ''
{ echo '//! check --bind'; cat add.wgsl; } >short.wgsl
expect 2 "option --bind needs a value" "$TESSERA" check short.wgsl --on nvk-ampere
cat >large.wgsl <<'END'
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
var<private> table: array<array<u32, 1000>, 1000>;
@compute @workgroup_size(1) fn main() { table[out[0]][1] = 1; out[1] = table[1][out[0]]; }
@compute @workgroup_size(1) fn local() { var t: array<vec4u, 65535>; t[out[0]].x = 1; out[1] = t[out[2]].x; }
@compute @workgroup_size(1) fn other() { out[0] = 1; }
END
expect 0 "large.wgsl: ok" "$TESSERA" check large.wgsl
expect 0 "" "$TESSERA" run large.wgsl --entry other --bind 0,0=zeros:u32:4
expect 1 '`table` takes 4000000 bytes, and every invocation has its own; at most 262144 can be run' \
    "$TESSERA" run large.wgsl --entry main --bind 0,0=zeros:u32:4
expect 1 '`t` takes 1048560 bytes' "$TESSERA" run large.wgsl --entry local --bind 0,0=zeros:u32:4
mkdir folder.wgsl
expect 1 "there is no file NAME.wgsl below this folder" "$TESSERA" check folder.wgsl
if [ "$(id -u)" -ne 0 ]; then
    cp add.wgsl secret.wgsl && chmod 000 secret.wgsl
    expect 3 "Permission denied" "$TESSERA" check secret.wgsl
fi
finish
