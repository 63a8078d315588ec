#!/bin/sh
# tint's verdict on the small programs of tests/wgsl/peer_probes.txt is the one that stands there. Skipped without tint,
# as tint.sh is.
cd "${TSR_SOURCE:-.}" || exit 3
tint=${TSR_PEERS:-$PWD/build/peers/bin}/tint
[ -x "$tint" ] || { echo "no tint at $tint (tools/peers fetches it)"; exit 77; }
exec tests/wgsl/peer_probes.sh "$tint" --format wgsl -o /dev/null
