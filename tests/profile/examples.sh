#!/usr/bin/env bash
# Every example chooses its configuration by the device: on each device whose record is complete and lists one for the
# example's types, it runs, at every subgroup size, and gives the CPU's own result. Counts are printed.
. "$TSR_SOURCE/tests/cli/lib.sh" || exit 3
cd "$TSR_SOURCE" || exit 1
"$TESSERA" check examples/*.wgsl --on all --json > "$work/all.json" 2> "$work/err"
[ $? -le 1 ] || { cat "$work/err"; exit 1; }
"$TESSERA" devices --all --json > "$work/devices.json"

# One line for each kernel and device: FILE DEVICE VERDICT COMPARED REASONS. Each of these stands on a line of its own.
awk '
    /^    "file":/ { gsub(/[",]/, ""); file = $2 }
    /"device":/ { gsub(/[",]/, ""); device = $2 }
    /"compared":/ { gsub(/[",]/, ""); compared = $2 }
    /^            "verdict":/ { gsub(/[",]/, ""); verdict = $2; getline }
    /^                "number":/ { gsub(/,/, ""); numbers = numbers " " $2 }
    /^            "reasons":/ { numbers = "" }
    /"matrix_words_per_invocation"/ { line = file " " device " " verdict " " compared }
    /^          }/ { print line numbers; numbers = "" }
' "$work/all.json" > "$work/cells"
total=$(wc -l < "$work/cells")
count() { awk -v v="$1" '$3 == v { n++ } END { print n + 0 }' "$work/cells"; }
echo "examples on devices: $(count runs) ran, $(count refused) refused, $(count differs) differ, $(count unknown) unknown"

failed=0
[ "$total" -ge 190 ] || { echo "FAIL: only $total cells"; failed=1; }
[ "$(count differs)" = 0 ] || { echo "FAIL: results depend on the device:"; grep ' differs ' "$work/cells"; failed=1; }
# What runs was run and compared.
if grep ' runs false' "$work/cells"; then echo 'FAIL: judged to run, but not run'; failed=1; fi
# Refused only for want of a configuration (643): with one, each example fits its device.
if awk '$3 == "refused" { for (i = 5; i <= NF; i++) if ($i != 643) bad = 1; if (bad) print; bad = 0 }' "$work/cells" |
    grep .; then
    echo 'FAIL: refused for another reason than the configurations that the device has'
    failed=1
fi
# Some that must run, from different corners.
for pair in 'gemm_f32.wgsl dawn-metal' 'gemm_f16.wgsl anv-dg2' 'gemm_f16.wgsl lavapipe-26.1' 'gemm_i8.wgsl nv-h200-580' \
    'gemm_i8.wgsl radv-rx7900xtx' 'attention.wgsl dawn-metal' 'gemv.wgsl adreno-840'; do
    grep -q "examples/$pair runs true" "$work/cells" || { echo "FAIL: $pair does not run"; failed=1; }
done
exit $failed
