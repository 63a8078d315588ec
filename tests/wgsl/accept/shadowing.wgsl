// Predeclared names and those of outer scopes can be declared anew.
const min = 3;
alias vec = vec3<f32>;
const value = 1;
fn f(value_: i32) -> i32 {
    let value = value_ + value;
    {
        let value = f32(value) * 2.0;
        var x = value;
        x += 1.0;
    }
    for (var value = 0u; value < 3u; value++) {
        let value = vec2<u32>(value);
        _ = value;
    }
    return value + min;
}
fn g() -> f32 {
    let f32_ = 1.0;
    var max = 2.0;
    max = max + f32_;
    return max;
}
