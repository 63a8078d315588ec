// Concrete integers wrap, also in const-expressions; only abstract ones overflow.
const a = 2147483647i + 1i;
const b = 0u - 1u;
const c = 65536u * 65536u;
const d = -(-2147483647i - 1i);
const_assert a == -2147483648 && b == 4294967295 && c == 0 && d == a;
