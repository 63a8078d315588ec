#!/bin/bash
# Programs made to hurt: each ends in time that grows with its size and no faster, with a verdict or an error that names a
# limit, in memory that is limited. Seconds are generous: machines that run tests are busy.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || exit 77
slow=1
[ "${TSR_SANITIZE:-0}" = 1 ] && slow=10

make() { # make FILE EXPRESSION: writes what the expression of Python gives
    python3 -c "import sys; sys.stdout.write($2)" >"$1"
}
try() { # try SECONDS STATUS TEXT FILE
    expect "$2" "$3" timeout $(($1 * slow)) "$TESSERA" check "$4"
}

make names.wgsl "''.join('const n%d=%d;\n' % (i, i) for i in range(300000))"
try 30 0 "names.wgsl: ok" names.wgsl
make functions.wgsl "''.join('fn f%d(x: u32) -> u32 { return x + f%d(x); }\n' % (i, i + 1) for i in range(100000)) + 'fn f100000(x: u32) -> u32 { return x; }'"
try 30 0 "functions.wgsl: ok" functions.wgsl
make long.wgsl "'const ' + 'a' * 1000000 + ' = 1; const b = ' + 'a' * 1000000 + ';'"
try 10 0 "long.wgsl: ok" long.wgsl
make unknown.wgsl "'const b = ' + 'a' * 1000000 + ';'"
try 10 1 "unknown.wgsl: 1 error" unknown.wgsl
make parens.wgsl "'const a = ' + '(' * 10000 + '1' + ')' * 10000 + ';'"
try 10 1 "[E0106]" parens.wgsl
make sums.wgsl "'const a = 1' + ' + 1' * 10000 + ';'"
expect_any() { # either is a clear end: a value or a limit
    timeout $(($1 * slow)) "$TESSERA" check "$2" >stdout 2>stderr
    local got=$?
    [ $got -le 1 ] || { echo "FAIL: exit status $got: $2"; failures=$((failures + 1)); }
}
expect_any 10 sums.wgsl
make unary.wgsl "'const a = ' + '-' * 1 + '!(' * 9999 + 'true' + ')' * 9999 + ';'"
try 10 1 "unary.wgsl: 1 error" unary.wgsl
make types.wgsl "'var<private> a: ' + 'array<' * 10000 + 'u32' + ', 1>' * 10000 + ';'"
try 10 1 "types.wgsl: 1 error" types.wgsl
make templates.wgsl "'const a = ' + 'vec2<' * 10000 + ';'"
try 10 1 "templates.wgsl: 2 errors" templates.wgsl
make less.wgsl "'fn f(a: u32) -> bool { return ' + ' && '.join(['(a < a)'] * 20000) + '; }'"
expect_any 20 less.wgsl
make blocks.wgsl "'fn f() ' + '{' * 10000 + '}' * 10000"
try 10 1 "blocks.wgsl: 1 error" blocks.wgsl
make elses.wgsl "'fn f(a: u32) { if a == 0 { } ' + 'else if a == 1 { } ' * 10000 + '}'"
expect_any 20 elses.wgsl
make array.wgsl "'const a = array<u32, 4000000>(' + '1, ' * 4000000 + ');'"
try 30 1 "array.wgsl: 1 error" array.wgsl
make zeros.wgsl "'const a = array<array<u32, 60000>, 60000>(); const b = a[3][4];'"
expect_any 10 zeros.wgsl
make comments.wgsl "'/*' * 1000000"
try 10 1 "comments.wgsl: 1 error" comments.wgsl
make structs.wgsl "''.join('struct S%d { a: S%d, b: S%d }\n' % (i, i + 1, i + 1) for i in range(200)) + 'struct S200 { a: u32 }'"
expect_any 10 structs.wgsl
make aliases.wgsl "''.join('alias A%d = A%d;\n' % (i, i + 1) for i in range(100000)) + 'alias A100000 = u32;'"
expect_any 30 aliases.wgsl
make wrong.wgsl "'fn f() { a = ; }\n' * 100000"
try 30 1 "too many errors" wrong.wgsl
finish
