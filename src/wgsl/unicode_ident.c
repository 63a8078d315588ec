/* Classes of code points for identifiers: 2 for XID_Start (which may also continue one), 1 for the others of
 * XID_Continue, 0 for the rest. The table holds the places where the class changes.
 *
 * The table was made with Python 3.11, whose str.isidentifier() follows Unicode 14.0's XID properties:
 *     def cls(c): ch = chr(c); return 2 * (ch.isidentifier() and ch != '_') or 1 * ('a' + ch).isidentifier()
 *     [c * 4 + cls(c) for c in range(1, 0x110000) if cls(c) != cls(c - 1)]
 * Source: WGSL, "Identifiers". */
#include "wgsl/unicode_ident.h"

#include "base/compiler.h"

static const uint32_t change[] = {
#include "wgsl/unicode_ident.def"
};

static unsigned find_class(uint32_t code)
{
    uint32_t low = 0, high = TSR_COUNT_OF(change); /* changes before `low` are at or below code, from `high` on above */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (change[middle] >> 2 <= code)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? 0 : change[low - 1] & 3;
}

bool tsr_unicode_xid_start(uint32_t code)
{
    return find_class(code) == 2;
}

bool tsr_unicode_xid_continue(uint32_t code)
{
    return find_class(code) != 0;
}
