// A barrier that everyone reaches.

@compute @workgroup_size(64)
fn main() {
    workgroupBarrier();
    storageBarrier();
    textureBarrier();
}
