//! subgroups all
//! a     u32 96 iota
//! b     u32 96 iota
//! c     u32 96 marker
//! d     u32 64 marker
//! early u32 64 marker
//! expect b == values 1000 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1011 1012 1013 1014 1015 1016 1017 1018 1019 1020 1021 1022 1023 1024 1025 1026 1027 1028 1029 1030 1031 1032 1033 1034 1035 1036 1037 1038 1039 1040 1041 1042 1043 1044 1045 1046 1047 1048 1049 1050 1051 1052 1053 1054 1055 1056 1057 1058 1059 1060 1061 1062 1063 1064 1065 1066 1067 1068 1069 1070 1071 1072 1073 1074 1075 1076 1077 1078 1079 1080 1081 1082 1083 1084 1085 1086 1087 1088 1089 90 91 92 93 94 95
//! expect c == values 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 0 0 0 0 0 0
//! expect d == values 0 10 30 60 100 150 210 280 8 26 54 92 140 198 266 280 16 42 78 124 180 246 258 280 24 58 102 156 220 230 250 280 32 74 126 188 196 214 242 280 40 90 150 156 172 198 234 280 48 106 110 124 148 182 226 280 56 58 70 92 124 166 218 280
//! expect early == values 7 7 7 3 4 5 6 7 7 7 7 11 12 13 14 15 7 7 7 19 20 21 22 23 7 7 7 27 28 29 30 31 7 7 7 35 36 37 38 39 7 7 7 43 44 45 46 47 7 7 7 51 52 53 54 55 7 7 7 59 60 61 62 63
//! expect report oob 12
// Rows of lanes side by side: the last one ends behind its array; the first lane of a row leaves a loop, and its index stays
// behind; lanes return from a function where all went the same way before.
struct Words {
    inside: array<u32, 90>,
    behind: array<u32, 6>,
}

@group(0) @binding(0) var<storage, read> a: Words;
@group(0) @binding(1) var<storage, read_write> b: Words;
@group(0) @binding(2) var<storage, read_write> c: array<u32>;
@group(0) @binding(3) var<storage, read_write> d: array<u32>;
@group(0) @binding(4) var<storage, read_write> early: array<u32>;

fn first_three(x: u32, number: u32, all: bool) -> u32 {
    var v = 7u;
    if (all) {
        if (x < 3u) {
            return v;
        }
        v = 1u;
    }
    v = number;
    return v;
}

@compute @workgroup_size(8, 12)
fn main(@builtin(local_invocation_id) id: vec3<u32>) {
    let number = id.y * 8u + id.x;
    c[number] = a.inside[number];
    b.inside[number] = number + 1000u;
    if (id.y >= 8u) {
        return;
    }
    var at = number;
    var sum = 0u;
    for (var k = 0u; k < 100u; k++) {
        sum += a.inside[at % 64u];
        if (k >= id.x) {
            break;
        }
        at += 8u;
    }
    d[number] = sum;
    early[number] = first_three(id.x, number, a.inside[1] == 1u);
}
