//! subgroups 8 32
//! dispatch 4 1 1
//! d       u32 4x64 marker
//! expect  d == values 63 62 61 60 59 58 57 56 55 54 53 52 51 50 49 48 47 46 45 44 43 42 41 40 39 38 37 36 35 34 33 32 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0 163 162 161 160 159 158 157 156 155 154 153 152 151 150 149 148 147 146 145 144 143 142 141 140 139 138 137 136 135 134 133 132 131 130 129 128 127 126 125 124 123 122 121 120 119 118 117 116 115 114 113 112 111 110 109 108 107 106 105 104 103 102 101 100 263 262 261 260 259 258 257 256 255 254 253 252 251 250 249 248 247 246 245 244 243 242 241 240 239 238 237 236 235 234 233 232 231 230 229 228 227 226 225 224 223 222 221 220 219 218 217 216 215 214 213 212 211 210 209 208 207 206 205 204 203 202 201 200 363 362 361 360 359 358 357 356 355 354 353 352 351 350 349 348 347 346 345 344 343 342 341 340 339 338 337 336 335 334 333 332 331 330 329 328 327 326 325 324 323 322 321 320 319 318 317 316 315 314 313 312 311 310 309 308 307 306 305 304 303 302 301 300
// Workgroup memory starts as zeros in every workgroup, and barriers order it.
override SIZE: u32 = 64;

@group(0) @binding(0) var<storage, read_write> d: array<u32>;

var<workgroup> tile: array<u32, SIZE>;
var<workgroup> base: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let dirty = tile[i] != 0 || base != 0;
    workgroupBarrier();
    tile[i] = i;
    if (i == 5) {
        base = group.x * 100;
    }
    let all = workgroupUniformLoad(&base);
    d[group.x * 64 + i] = select(all + tile[63 - i], 999, dirty);
}
