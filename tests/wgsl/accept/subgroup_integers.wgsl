// The value that lanes exchange keeps its type, whatever the type of the lane's number.
enable subgroups;
fn f(v: i32, w: vec2<i32>, lane: i32) -> i32 {
    let a: i32 = subgroupShuffle(v, lane) + subgroupShuffleXor(v, 1u) + subgroupBroadcast(v, 3i) + quadBroadcast(v, 1);
    let b: vec2<i32> = subgroupShuffle(w, 2u) + subgroupShuffleDown(w, 1) + subgroupShuffleUp(w, 1u);
    return a - b.x;
}
