//! subgroups all
//! data u32 256 iota
//! d    u32 128 marker
//! e    u32 128 marker
//! expect d == values 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 159 180 181 182 183 184 185 186 187 188 189 190 191 192 193 194 195 216 217 218 219 220 221 222 223 224 225 226 227 228 229 230 231 252 253 254 255 0 1 2 3 4 5 6 7 8 9 10 11
//! expect e == values 0 0 0 0 0 0 0 0 10 10 10 10 10 10 10 10 11 11 11 11 21 21 21 21 21 21 21 21 31 31 31 31 30 30 30 30 30 30 30 30 40 40 40 40 40 40 40 40 41 41 41 41 51 51 51 51 51 51 51 51 61 61 61 61 60 60 60 60 60 60 60 60 70 70 70 70 70 70 70 70 71 71 71 71 81 81 81 81 81 81 81 81 91 91 91 91 90 90 90 90 90 90 90 90 100 100 100 100 100 100 100 100 101 101 101 101 111 111 111 111 111 111 111 111 121 121 121 121
// Rows of 16 in a subgroup of 32: the second row has an odd number, and what is computed from it wraps and divides within the row.
@group(0) @binding(0) var<storage, read> data: array<u32>;
@group(0) @binding(1) var<storage, read_write> d: array<u32>;
@group(0) @binding(2) var<storage, read_write> e: array<u32>;

@compute @workgroup_size(16, 8)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(local_invocation_id) id: vec3<u32>) {
    d[lane] = data[(id.y * 36u + id.x) % 256u];
    e[lane] = data[(id.y * 12u + id.x) / 8u] * 10u + (id.y & 1u);
}
