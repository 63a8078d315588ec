const Δέλτα = 1;
const réflexion = 2;
const Кызыл = 3;
const 朝焼け = Δέλτα + réflexion + Кызыл;
const סלאם_1 = 4;
const _a = 5;
const a_ = 6;
const A = 7;
const a = 8;
// Context-dependent names are free for use.
const align = 1;
const binding = 2;
const builtin = 3;
const compute = 4;
const position = 5;
const off = 6;
const error = 7;
const read_write_ = 8;
const x = 9;
const_assert 朝焼け == 6 && A != a;

fn group(size: i32) -> i32 {
    let location = size + align + binding + builtin + compute + position + off + error + x + read_write_;
    return location;
}
