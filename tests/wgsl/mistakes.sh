#!/bin/sh
# One mistake, one message: each row of mistakes.txt is put into mistakes.wgsl alone, and must bring exactly one error,
# which points at the place. TESSERA is the command; an argument is a number of a row to run alone, and its messages.
cd "${TSR_SOURCE:-.}" || exit 3
: "${TESSERA:=build/release/tessera}"
[ -x "$TESSERA" ] || { echo "tests/wgsl/mistakes: no command at $TESSERA"; exit 77; }
command -v python3 >/dev/null || exit 77
exec python3 - "$TESSERA" "${1:-}" <<'PYTHON'
import json, subprocess, sys, tempfile, os

command, only = sys.argv[1], sys.argv[2]
base = open("tests/wgsl/mistakes.wgsl").read()


def read_rows():
    for number, row in enumerate(open("tests/wgsl/mistakes.txt"), 1):
        row = row.rstrip("\n")
        if not row.strip() or row.startswith("#"):
            continue
        cells = [c.strip(" ").replace("\\n", "\n").replace("\\p", "|") for c in row.split("|")]
        yield number, (cells + ["", ""])[:4]


def find_fault(number, old, new, text, lines):
    at = base.find(old)
    if at < 0 or base.find(old, at + 1) >= 0:
        return "stands %s in mistakes.wgsl" % ("nowhere" if at < 0 else "more than once")
    source = base[:at] + new + base[at + len(old):]
    path = os.path.join(folder, "mistake.wgsl")
    open(path, "w").write(source)
    out = subprocess.run([command, "check", "--format", "json", path], capture_output=True, text=True)
    found = [d for d in json.loads(out.stdout)[0]["diagnostics"] if d["severity"] == "error"]
    shown = "".join("\n    %d:%d %s" % (d["line"], d["column"], d["message"]) for d in found)
    if only:
        print(shown)
    if out.returncode != 1 or len(found) != 1:
        return "exit status %d, %d errors%s" % (out.returncode, len(found), shown)
    common = len(os.path.commonprefix([old, new]))
    line = base.count("\n", 0, at + common) + 1 + int(lines or 0)
    offset = found[0]["offset_bytes"]
    if found[0]["line"] != line:
        return "the error is not in line %d%s" % (line, shown)
    if not source[offset:].startswith(text):
        return "the error does not point at `%s` but at `%s`%s" % (text, source[offset:offset + 20], shown)
    return None


passed = failed = 0
with tempfile.TemporaryDirectory() as folder:
    for number, cells in read_rows():
        if only and number != int(only):
            continue
        fault = find_fault(number, *cells)
        passed, failed = passed + (fault is None), failed + (fault is not None)
        if fault:
            print("mistakes.txt:%d: %s -> %s: %s" % (number, repr(cells[0]), repr(cells[1]), fault))
print("tests/wgsl/mistakes: %d passed, %d failed" % (passed, failed))
sys.exit(failed != 0)
PYTHON
