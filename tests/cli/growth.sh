#!/bin/sh
# Time and memory grow with the input and no faster: each kind of program is checked at two sizes, one four times the
# other. CPU time is what counts, the least of a few runs, so that a busy machine does not matter; four times the text
# may take nine times as long (n log n takes five, a square takes sixteen).
# TESSERA is the command; an argument runs only the kinds whose names hold it.
cd "${TSR_SOURCE:-.}" || exit 3
: "${TESSERA:=build/release/tessera}"
[ -x "$TESSERA" ] || { echo "tests/cli/growth: no command at $TESSERA"; exit 77; }
command -v python3 >/dev/null || exit 77
exec python3 - "$TESSERA" "${1:-}" "${TSR_SANITIZE:-0}" <<'PYTHON'
import os, signal, sys, tempfile

command, only, sanitized = sys.argv[1], sys.argv[2], sys.argv[3] == "1"
RATIO_MAX = 9
NOISE_S = 0.1 if not sanitized else 1.0  # less is not told from the start of a process
LIMIT_S = 60 if not sanitized else 600


def rows(n, row, tail=""):
    return "".join(row(i) for i in range(n)) + tail


def body(n, row):
    return "fn f(p: u32) -> u32 { var a = p; " + rows(n, row) + "return a; }"


def entries(n, body):
    return rows(n, lambda i: f"@compute @workgroup_size(1) fn e{i}() {{ {body(i)} }}\n")


def buffers(n, binding):
    return rows(n, lambda i: f"@group(0) @binding({binding(i)}) var<storage, read_write> b{i}: array<u32>;\n")


def writes(n):
    return "fn f0(x: u32) { " + rows(n, lambda i: f"b{i}[0] = x; ") + "}\n"


MAIN = "@compute @workgroup_size(1) fn main() { _ = f(1); }"
# Name, size, program. Sizes: what takes some ten milliseconds at least, and the larger one at most some seconds.
KINDS = [
    # Declarations.
    ("functions", 25000, lambda n: rows(n, lambda i: f"fn f{i}(x: u32) -> u32 {{ return x; }}\n")),
    ("call chain down", 25000, lambda n: rows(n, lambda i: f"fn f{i}(x: u32) -> u32 {{ return f{i + 1}(x); }}\n",
        f"fn f{n}(x: u32) -> u32 {{ return x; }} @compute @workgroup_size(1) fn main() {{ _ = f0(1); }}")),
    ("call chain up", 25000, lambda n: "fn f0(x: u32) -> u32 { return x; }\n" + rows(n,
        lambda i: f"fn f{i + 1}(x: u32) -> u32 {{ return f{i}(x); }}\n", f"@compute @workgroup_size(1) fn main() {{ _ = f{n}(1); }}")),
    ("calls twice", 25000, lambda n: "fn f0(x: u32) -> u32 { return x; }\n" + rows(n,
        lambda i: f"fn f{i + 1}(x: u32) -> u32 {{ return f{i}(x) + f{i}(x + 1); }}\n", f"@compute @workgroup_size(1) fn main() {{ _ = f{n}(1); }}")),
    ("pointer chain", 10000, lambda n: "fn f0(x: ptr<private, u32>) { *x = 1; }\n" + rows(n,
        lambda i: f"fn f{i + 1}(x: ptr<private, u32>) {{ f{i}(x); }}\n", f"var<private> g: u32; @compute @workgroup_size(1) fn main() {{ f{n}(&g); }}")),
    ("barrier chain", 10000, lambda n: "fn f0(x: u32) { if x == 1 { workgroupBarrier(); } }\n" + rows(n,
        lambda i: f"fn f{i + 1}(x: u32) {{ f{i}(x); }}\n", f"@compute @workgroup_size(1) fn main() {{ f{n}(1); }}")),
    ("entry points", 10000, lambda n: rows(n, lambda i: f"@compute @workgroup_size(1) fn f{i}() {{}}\n")),
    ("entry points over a chain", 4000, lambda n: rows(n, lambda i: f"fn f{i}(x: u32) {{ f{i + 1}(x); }}\n", f"fn f{n}(x: u32) {{}}\n")
        + entries(n, lambda i: f"f{i % 7}(1);")),
    ("entry points with shared buffers", 2000, lambda n: buffers(n, lambda i: i) + writes(n) + entries(n, lambda i: f"f0({i});")),
    ("entry points with buffers each", 2000, lambda n: buffers(n, lambda i: i) + rows(n, lambda i: f"fn f{i}(x: u32) {{ b{i}[0] = x; f{i + 1}(x); }}\n",
        f"fn f{n}(x: u32) {{}}\n") + entries(n, lambda i: f"b{i * 7 % n}[1] = 1; f{i}(1);")),
    ("entry points with shared bindings", 2000, lambda n: buffers(2 * n, lambda i: i // 2) + rows(n, lambda i: f"fn f{i}(x: u32) {{ b{2 * i}[0] = x; f{i + 1}(x); }}\n",
        f"fn f{n}(x: u32) {{}}\n") + entries(n, lambda i: f"f{i}(1);") + "@compute @workgroup_size(1) fn other() { " + rows(n, lambda i: f"b{2 * i + 1}[0] = 1; ") + "}"),
    ("entry points with clashes", 2000, lambda n: buffers(n, lambda i: 0) + writes(n) + entries(n, lambda i: f"f0({i});")),
    ("entry points with workgroup memory", 2000, lambda n: rows(n, lambda i: f"var<workgroup> b{i}: array<u32, 2>;\n") + writes(n)
        + entries(n, lambda i: f"b{i}[1] = 1; f0({i});")),
    ("entry points with overrides", 2000, lambda n: rows(n, lambda i: f"override b{i} = 1u;\n") + "fn f0(p: u32) { var x = p; "
        + rows(n, lambda i: f"x += b{i}; ") + "}\n" + entries(n, lambda i: f"f0(b{i});")),
    ("entry points with types", 2000, lambda n: rows(n, lambda i: f"struct S{i} {{ a: u32, b: u32 }}\n") + "fn f0(p: u32) { var x = p; "
        + rows(n, lambda i: f"x += S{i}(x, 2).a; ") + "}\n" + entries(n, lambda i: f"f0({i});")),
    ("entry points of a wrong stage", 2000, lambda n: "fn f0(x: u32) { " + rows(n, lambda i: f"if x == {i} {{ discard; }} ") + "}\n" + entries(n, lambda i: f"f0({i});")),
    ("entry points with matrices", 1000, lambda n: "enable chromium_experimental_subgroup_matrix;\nfn f0() { " + rows(n, lambda i:
        f"let r{i} = subgroupMatrixMultiplyAccumulate(subgroup_matrix_left<f32, {i % 1000 + 1}, {i // 1000 + 1}>(), subgroup_matrix_right<f32, 8, {i % 1000 + 1}>(), subgroup_matrix_result<f32, 8, {i // 1000 + 1}>()); ")
        + "}\n" + entries(n, lambda i: "f0();")),
    ("pointers into many variables", 4000, lambda n: rows(n, lambda i: f"var<private> g{i}: u32;\n") + rows(n,
        lambda i: f"fn f{i}(p: ptr<private, u32>) {{ g{i} += 1; f{i + 1}(p); }}\n", f"fn f{n}(p: ptr<private, u32>) {{ *p = 1; }}\n")
        + rows(n, lambda i: f"fn h{i}() {{ f{n // 2 + i // 2 + 1}(&g{i // 2}); }}\n")),
    ("recursion", 25000, lambda n: rows(n, lambda i: f"fn f{i}() {{ f{(i + 1) % n}(); }}\n")),
    ("private variables", 25000, lambda n: rows(n, lambda i: f"var<private> g{i}: u32;\n")),
    ("variables used", 10000, lambda n: rows(n, lambda i: f"var<private> g{i}: u32;\n") + "fn f(p: u32) -> u32 {"
        + rows(n, lambda i: f"g{i} += p; ") + "return p; }" + MAIN),
    ("structs", 25000, lambda n: rows(n, lambda i: f"struct S{i} {{ a: u32, b: vec3f }}\n")),
    ("struct of structs", 60, lambda n: rows(n, lambda i: f"struct S{i} {{ a: S{i + 1}, b: S{i + 1} }}\n", f"struct S{n} {{ a: u32 }}")),
    ("members", 4000, lambda n: "struct S {" + rows(n, lambda i: f"m{i}: u32, ") + "} fn f(s: S) -> u32 { return s.m1; }"),
    ("member uses", 1000, lambda n: "struct S {" + rows(n, lambda i: f"m{i}: u32, ") + "} var<private> s: S; fn f() -> u32 { var a = 0u;"
        + rows(n, lambda i: f"a += s.m{i}; ") + "return a; }"),
    ("aliases", 25000, lambda n: rows(n, lambda i: f"alias A{i} = A{i + 1};\n", f"alias A{n} = u32;")),
    ("overrides", 25000, lambda n: rows(n, lambda i: f"override o{i}: u32 = 1;\n")),
    ("override chain", 10000, lambda n: "override o0 = 1u;\n" + rows(n, lambda i: f"override o{i + 1} = o{i} + 1u;\n")),
    ("override ids", 10000, lambda n: rows(n, lambda i: f"@id({i}) override o{i}: u32;\n")),
    ("constants", 25000, lambda n: "const c0 = 1;\n" + rows(n, lambda i: f"const c{i + 1} = c{i} ^ {i};\n")),
    ("constants backwards", 25000, lambda n: rows(n, lambda i: f"const c{i} = c{i + 1};\n", f"const c{n} = 1;")),
    ("constant circle", 25000, lambda n: rows(n, lambda i: f"const c{i} = c{(i + 1) % n};\n")),
    ("assertions", 25000, lambda n: rows(n, lambda i: f"const_assert {i} < {n};\n")),
    ("array types", 10000, lambda n: rows(n, lambda i: f"alias A{i} = array<u32, {i + 1}>;\n")),
    ("declared twice", 25000, lambda n: rows(n, lambda i: "const a = 1;\n")),
    # Attributes and directives.
    ("attributes", 25000, lambda n: "@must_use " * n + "fn f() -> u32 { return 1; }"),
    ("attribute arguments", 25000, lambda n: "@workgroup_size(" + "1, " * n + "1) @compute fn f() {}"),
    ("diagnostics", 25000, lambda n: "diagnostic(off, derivative_uniformity);\n" * n),
    ("diagnostic attributes", 10000, lambda n: "@diagnostic(off, derivative_uniformity) " * n + "fn f() {}"),
    ("nested diagnostics", 2000, lambda n: body(n, lambda i: "@diagnostic(off, derivative_uniformity) if a == 1 { a = 2; } ")),
    ("enables", 25000, lambda n: "enable f16;\n" * n),
    ("unknown extensions", 10000, lambda n: rows(n, lambda i: f"enable e{i};\n")),
    ("unknown rules", 10000, lambda n: rows(n, lambda i: f"diagnostic(off, r{i}.s{i});\n")),
    # Statements.
    ("statements", 25000, lambda n: body(n, lambda i: f"a += {i}u; ")),
    ("locals", 25000, lambda n: body(n, lambda i: f"let l{i} = a; ")),
    ("shadows", 25000, lambda n: body(n, lambda i: "{ let a = 1u; } ")),
    ("variables in loops", 4000, lambda n: body(n, lambda i: f"var v{i} = 0u; for (var i = 0u; i < 2u; i++) {{ v{i} += i; }} ") + MAIN),
    ("loop with many variables", 4000, lambda n: "fn f(p: u32) -> u32 { var a = p; " + rows(n, lambda i: f"var v{i} = 0u; ")
        + "loop { " + rows(n, lambda i: f"v{i} += 1u; ") + "if a == 1u { break; } workgroupBarrier(); } return a; }" + MAIN),
    ("ifs", 10000, lambda n: body(n, lambda i: "if a == 1 { a = 2; } ") + MAIN),
    ("ifs that return", 10000, lambda n: body(n, lambda i: f"if a == {i} {{ return a; }} ") + MAIN),
    ("ifs before barriers", 5000, lambda n: body(n, lambda i: "if a == 1 { a = 2; } workgroupBarrier(); ") + MAIN),
    ("else ifs", 25000, lambda n: "fn f(a: u32) { if a == 0 { } " + "else if a == 1 { } " * n + "}"),
    ("cases", 25000, lambda n: "fn f(a: u32) { switch a { default {} " + rows(n, lambda i: f"case {i} {{}} ") + "} }"),
    ("selectors", 25000, lambda n: "fn f(a: u32) { switch a { default {} case " + rows(n, lambda i: f"{i}, ") + "{} } }"),
    ("same selectors", 25000, lambda n: "fn f(a: u32) { switch a { default {} case " + rows(n, lambda i: "1, ") + "{} } }"),
    ("switches", 4000, lambda n: body(n, lambda i: "switch a { case 1 { a = 2; } default { break; } } ") + MAIN),
    ("blocks", 25000, lambda n: "fn f() " + "{" * n + "}" * n),
    ("loops", 25000, lambda n: "fn f() {" + "loop {" * n + "}" * n),
    ("dead code", 10000, lambda n: body(n, lambda i: "{ return a; } a += 1; ")),
    ("assigned parts", 10000, lambda n: "fn f(p: u32) -> u32 { var v: array<u32, 8>; " + rows(n, lambda i: f"v[{i % 8}] = p; ") + "return v[p]; }" + MAIN),
    # Expressions.
    ("sum in pieces", 10000, lambda n: body(n, lambda i: f"a = a + (a * {i}) - (a ^ 3); ")),
    ("long sum", 25000, lambda n: "const a = 1" + " + 1" * n + ";"),
    ("long sum of values", 25000, lambda n: "fn f(a: u32) -> u32 { return a" + " + a" * n + "; }"),
    ("right-nested sum", 10000, lambda n: "const a = " + "1 + (" * n + "1" + ")" * n + ";"),
    ("parentheses", 25000, lambda n: "const a = " + "(" * n + "1" + ")" * n + ";"),
    ("minus", 25000, lambda n: "const a = " + "- " * n + "1;"),
    ("not", 25000, lambda n: "const a = " + "!" * n + "true;"),
    ("references", 25000, lambda n: "fn f() { var a = 1; a = " + "*&" * n + "a; }"),
    ("nested calls", 25000, lambda n: "const a = " + "abs(" * n + "1" + ")" * n + ";"),
    ("nested constructors", 25000, lambda n: "const a = " + "array(" * n + "1" + ")" * n + ";"),
    ("nested indices", 25000, lambda n: "const z = array(0, 0); const a = " + "z[" * n + "0" + "]" * n + ";"),
    ("indices", 25000, lambda n: "const a = array(1)" + "[0]" * n + ";"),
    ("members of members", 25000, lambda n: "const a = vec2(1, 1)" + ".xy" * n + ";"),
    ("ands", 10000, lambda n: "fn f(a: u32) -> bool { return " + " && ".join(["(a < a)"] * n) + "; }"),
    ("less thans", 25000, lambda n: "fn f(a: u32) -> bool { return " + "a < " * n + "a; }"),
    ("arguments", 25000, lambda n: "const a = max(" + "1, " * n + "1);"),
    ("elements", 12000, lambda n: "const a = array(" + "1, " * n + "1);"),
    ("elements of values", 12000, lambda n: "fn f(a: u32) -> u32 { let q = array(" + "a, " * n + "a); return q[a]; }"),
    ("constant arrays used", 2000, lambda n: "const z = array(" + "1u, " * 64 + "1u); fn f(i: u32) -> u32 { var a = i; "
        + rows(n, lambda i: "a += z[a & 63]; ") + "return a; }"),
    ("zeros copied", 2000, lambda n: "alias Z = array<u32, 60000>; " + rows(n, lambda i: f"const z{i} = Z(); const y{i} = z{i}[{i}];\n")),
    ("huge zeros", 20, lambda n: "alias Z = array<array<u32, 60000>, 60000>; " + rows(n, lambda i: f"const z{i} = Z()[1]; const w{i} = z{i}[2] + 1;\n")),
    ("equal arrays", 1000, lambda n: rows(n, lambda i: f"const z{i} = array<u32, 64>(" + "1, " * 63 + f"{i});\n") + "fn f(i: u32) -> u32 { var a = i; "
        + rows(n, lambda i: f"a += z{i}[a & 63]; ") + "return a; }"),
    ("floats", 10000, lambda n: "const a = array(" + "1.23456789012345678901234567890e-300, " * n + "1.0);"),
    ("long number", 100000, lambda n: "const a = 0." + "1234567890" * n + ";"),
    ("long exponent", 100000, lambda n: "const a = 1e-" + "9" * n + ";"),
    ("long hexadecimal number", 100000, lambda n: "const a = 0x0." + "0" * n + "1p3;"),
    # Types.
    ("nested arrays", 25000, lambda n: "var<private> a: " + "array<" * n + "u32" + ", 1>" * n + ";"),
    ("nested pointers", 25000, lambda n: "fn f(a: " + "ptr<function, " * n + "u32" + ">" * n + ") {}"),
    ("open templates", 25000, lambda n: "const a = " + "vec2<" * n + ";"),
    ("open templates in parentheses", 25000, lambda n: "const a = " + "a < (" * n + ";"),
    ("templates that are none", 25000, lambda n: "fn f(a: u32) { let b = " + "a < a + " * n + "a; }"),
    # Text.
    ("one long name", 1000000, lambda n: "const " + "a" * n + " = 1; const b = " + "a" * n + ";"),
    ("one long unknown name", 1000000, lambda n: "const b = " + "a" * n + ";"),
    ("long names", 1000, lambda n: rows(n, lambda i: "const " + "a" * 1000 + f"{i} = 1;\n")),
    ("unknown names", 10000, lambda n: rows(n, lambda i: f"const a{i} = b{i};\n")),
    ("unknown members", 10000, lambda n: "struct S { a: u32 } fn f(s: S) {" + rows(n, lambda i: f"_ = s.m{i}; ") + "}"),
    ("comment openings", 250000, lambda n: "/*" * n),
    ("comments inside each other", 250000, lambda n: "/*" * n + "*/" * n),
    ("line comments", 250000, lambda n: "//\n" * n),
    ("comment without end", 1000000, lambda n: "/*" + "a" * n),
    ("blanks", 1000000, lambda n: " " * n),
    ("semicolons", 250000, lambda n: ";" * n),
    ("ats", 100000, lambda n: "@" * n),
    ("letters", 250000, lambda n: "a " * n),
    ("no text", 1000000, lambda n: "\x01" * n),
    ("closing braces", 100000, lambda n: "}" * n),
    ("openings", 100000, lambda n: "fn f() {" + "(" * n),
    ("brackets", 100000, lambda n: "fn f() {" + "a[" * n),
    ("open functions", 25000, lambda n: "fn f() {\n" * n),
    ("missing semicolons", 25000, lambda n: "fn f() {" + "let a = 1\n" * n + "}"),
    ("missing braces", 10000, lambda n: "fn f(a: u32) { if a == 1\n return; }\n" * n),
    ("wrong statements", 25000, lambda n: "fn f() { a = ; }\n" * n),
    ("wrong types", 10000, lambda n: body(n, lambda i: "a = 1.5; ")),
]


def run(path):
    """CPU seconds and KiB of one check; None when it crashed or hung."""
    pid = os.fork()
    if pid == 0:
        null = os.open("/dev/null", os.O_RDWR)
        os.dup2(null, 1)
        os.dup2(null, 2)
        import resource
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S))
        os.execv(command, [command, "check", path])
    _, status, usage = os.wait4(pid, 0)
    if not os.WIFEXITED(status) or os.WEXITSTATUS(status) > 1:
        return None
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def measure(text, path, runs):
    with open(path, "w") as f:
        f.write(text)
    found = [run(path) for _ in range(runs)]
    return None if None in found else (min(t for t, _ in found), max(m for _, m in found))


def find_fault(size, make, path):
    """What is wrong, or None; and the figures. A suspicion is looked at again: the machine may be busy."""
    for attempt in range(3):
        small, large = measure(make(size), path, 1 + attempt), measure(make(4 * size), path, 1 + attempt)
        if small is None or large is None:
            return "crashed, or took more than %d s" % LIMIT_S, ""
        ratio = large[0] / max(small[0], NOISE_S / 4)
        figures = "%6.0f -> %6.0f ms (%4.1f), %5.0f -> %5.0f MB" % (
            small[0] * 1e3, large[0] * 1e3, ratio, small[1] / 1e3, large[1] / 1e3)
        if not sanitized and large[1] > 6 * small[1] + 65536:
            return "takes too much memory", figures
        if large[0] < NOISE_S or ratio < RATIO_MAX:
            return None, figures
    return "takes too long", figures


failed = 0
with tempfile.TemporaryDirectory() as folder:
    for name, size, make in KINDS:
        if only in name:
            fault, figures = find_fault(size, make, os.path.join(folder, "program.wgsl"))
            failed += fault is not None
            print("%-32s %s%s" % (name, figures, "  FAILED: " + fault if fault else ""), flush=True)
print("tests/cli/growth: %d failed" % failed)
sys.exit(failed != 0)
PYTHON
