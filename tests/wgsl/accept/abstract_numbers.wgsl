const a = 1;                 // AbstractInt
const b = 1.5;               // AbstractFloat
const c = a + b;             // AbstractFloat
const d: f32 = a;
const e: u32 = 3000000000;
const f: i32 = -2147483648;
const g = 1 << 40;
const h: f32 = g >> 38;
const v = vec3(1, 2, 3.5);
const w: vec3<f32> = vec3(1, 2, 3);
const m = mat2x2(1, 2, 3, 4);
const arr = array(1, 2, 3);
const arr2: array<f32, 3> = arr;
const_assert c == 2.5;
const_assert h == 4;
const_assert v.z == 3.5;
const_assert 7 / 2 == 3 && -7 / 2 == -3 && -7 % 2 == -1;
const_assert 7.0 / 2 == 3.5;
const_assert max(1, 2.5) == 2.5;
const_assert clamp(5, 1, 3u) == 3u;
const_assert select(1, 2.0, true) == 2;
const_assert all(vec2(1, 2) == vec2(1.0, 2.0));
fn use_(x: f32, y: u32, z: i32) -> f32 {
    let p = x * 2 + 1;
    let q = y + 1;
    let r = z - 1;
    var s = 1;               // i32
    s = r;
    var t = 1.0;             // f32
    t = p;
    let u = vec2(x, 1);
    let arr3 = array(1, x, 2);
    return t + f32(q) + f32(s) + u.y + arr3[1];
}
