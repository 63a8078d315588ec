#!/bin/sh
# docs/wgsl-rules.md names files that are there: in each row, accepted programs in the fourth column and refused ones in the
# fifth.
cd "${TSR_SOURCE:-.}" || exit 3
awk -F '|' '
    function strip(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
    function look(list, folder,   n, i, names, name) {
        n = split(list, names, ",")
        for (i = 1; i <= n; i++) {
            name = strip(names[i])
            if (name == "" || name ~ /^unit test / || name ~ /\//) continue
            file = "tests/wgsl/" folder "/" name ".wgsl"
            if ((getline line < file) < 0) { print "docs/wgsl-rules.md:" NR ": no " file; bad++ }
            close(file)
            cases++
        }
    }
    { gsub(/\\\|/, "!") }
    /^\| / && NF >= 6 && strip($2) != "rule" { rules++; look($5, "accept"); look($6, "reject") }
    END { print rules " rules, " cases " cases named, " bad + 0 " missing"; exit bad > 0 }' docs/wgsl-rules.md
