// Long but legal: chains of operators, of else-ifs, of cases; deep parentheses and blocks.
const sum = 0 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1;
const_assert sum == 500;
const paren = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))));
const neg = -(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))));
fn chain(x: u32) -> u32 {
    if x == 0 { return 1; }
    else if x == 1 { return 1; }
    else if x == 2 { return 4; }
    else if x == 3 { return 9; }
    else if x == 4 { return 16; }
    else if x == 5 { return 25; }
    else if x == 6 { return 36; }
    else if x == 7 { return 49; }
    else if x == 8 { return 64; }
    else if x == 9 { return 81; }
    else if x == 10 { return 100; }
    else if x == 11 { return 121; }
    else if x == 12 { return 144; }
    else if x == 13 { return 169; }
    else if x == 14 { return 196; }
    else if x == 15 { return 225; }
    else if x == 16 { return 256; }
    else if x == 17 { return 289; }
    else if x == 18 { return 324; }
    else if x == 19 { return 361; }
    else if x == 20 { return 400; }
    else if x == 21 { return 441; }
    else if x == 22 { return 484; }
    else if x == 23 { return 529; }
    else if x == 24 { return 576; }
    else if x == 25 { return 625; }
    else if x == 26 { return 676; }
    else if x == 27 { return 729; }
    else if x == 28 { return 784; }
    else if x == 29 { return 841; }
    else if x == 30 { return 900; }
    else if x == 31 { return 961; }
    else if x == 32 { return 1024; }
    else if x == 33 { return 1089; }
    else if x == 34 { return 1156; }
    else if x == 35 { return 1225; }
    else if x == 36 { return 1296; }
    else if x == 37 { return 1369; }
    else if x == 38 { return 1444; }
    else if x == 39 { return 1521; }
    else if x == 40 { return 1600; }
    else if x == 41 { return 1681; }
    else if x == 42 { return 1764; }
    else if x == 43 { return 1849; }
    else if x == 44 { return 1936; }
    else if x == 45 { return 2025; }
    else if x == 46 { return 2116; }
    else if x == 47 { return 2209; }
    else if x == 48 { return 2304; }
    else if x == 49 { return 2401; }
    else if x == 50 { return 2500; }
    else if x == 51 { return 2601; }
    else if x == 52 { return 2704; }
    else if x == 53 { return 2809; }
    else if x == 54 { return 2916; }
    else if x == 55 { return 3025; }
    else if x == 56 { return 3136; }
    else if x == 57 { return 3249; }
    else if x == 58 { return 3364; }
    else if x == 59 { return 3481; }
    else if x == 60 { return 3600; }
    else if x == 61 { return 3721; }
    else if x == 62 { return 3844; }
    else if x == 63 { return 3969; }
    else if x == 64 { return 4096; }
    else if x == 65 { return 4225; }
    else if x == 66 { return 4356; }
    else if x == 67 { return 4489; }
    else if x == 68 { return 4624; }
    else if x == 69 { return 4761; }
    else if x == 70 { return 4900; }
    else if x == 71 { return 5041; }
    else if x == 72 { return 5184; }
    else if x == 73 { return 5329; }
    else if x == 74 { return 5476; }
    else if x == 75 { return 5625; }
    else if x == 76 { return 5776; }
    else if x == 77 { return 5929; }
    else if x == 78 { return 6084; }
    else if x == 79 { return 6241; }
    else if x == 80 { return 6400; }
    else if x == 81 { return 6561; }
    else if x == 82 { return 6724; }
    else if x == 83 { return 6889; }
    else if x == 84 { return 7056; }
    else if x == 85 { return 7225; }
    else if x == 86 { return 7396; }
    else if x == 87 { return 7569; }
    else if x == 88 { return 7744; }
    else if x == 89 { return 7921; }
    else if x == 90 { return 8100; }
    else if x == 91 { return 8281; }
    else if x == 92 { return 8464; }
    else if x == 93 { return 8649; }
    else if x == 94 { return 8836; }
    else if x == 95 { return 9025; }
    else if x == 96 { return 9216; }
    else if x == 97 { return 9409; }
    else if x == 98 { return 9604; }
    else if x == 99 { return 9801; }
    else if x == 100 { return 10000; }
    else if x == 101 { return 10201; }
    else if x == 102 { return 10404; }
    else if x == 103 { return 10609; }
    else if x == 104 { return 10816; }
    else if x == 105 { return 11025; }
    else if x == 106 { return 11236; }
    else if x == 107 { return 11449; }
    else if x == 108 { return 11664; }
    else if x == 109 { return 11881; }
    else if x == 110 { return 12100; }
    else if x == 111 { return 12321; }
    else if x == 112 { return 12544; }
    else if x == 113 { return 12769; }
    else if x == 114 { return 12996; }
    else if x == 115 { return 13225; }
    else if x == 116 { return 13456; }
    else if x == 117 { return 13689; }
    else if x == 118 { return 13924; }
    else if x == 119 { return 14161; }
    return 0;
}
fn cases(x: u32) -> u32 {
    switch x {
        case 0u: { return 5u; }
        case 1u: { return 4u; }
        case 2u: { return 7u; }
        case 3u: { return 6u; }
        case 4u: { return 1u; }
        case 5u: { return 0u; }
        case 6u: { return 3u; }
        case 7u: { return 2u; }
        case 8u: { return 13u; }
        case 9u: { return 12u; }
        case 10u: { return 15u; }
        case 11u: { return 14u; }
        case 12u: { return 9u; }
        case 13u: { return 8u; }
        case 14u: { return 11u; }
        case 15u: { return 10u; }
        case 16u: { return 21u; }
        case 17u: { return 20u; }
        case 18u: { return 23u; }
        case 19u: { return 22u; }
        case 20u: { return 17u; }
        case 21u: { return 16u; }
        case 22u: { return 19u; }
        case 23u: { return 18u; }
        case 24u: { return 29u; }
        case 25u: { return 28u; }
        case 26u: { return 31u; }
        case 27u: { return 30u; }
        case 28u: { return 25u; }
        case 29u: { return 24u; }
        case 30u: { return 27u; }
        case 31u: { return 26u; }
        case 32u: { return 37u; }
        case 33u: { return 36u; }
        case 34u: { return 39u; }
        case 35u: { return 38u; }
        case 36u: { return 33u; }
        case 37u: { return 32u; }
        case 38u: { return 35u; }
        case 39u: { return 34u; }
        case 40u: { return 45u; }
        case 41u: { return 44u; }
        case 42u: { return 47u; }
        case 43u: { return 46u; }
        case 44u: { return 41u; }
        case 45u: { return 40u; }
        case 46u: { return 43u; }
        case 47u: { return 42u; }
        case 48u: { return 53u; }
        case 49u: { return 52u; }
        case 50u: { return 55u; }
        case 51u: { return 54u; }
        case 52u: { return 49u; }
        case 53u: { return 48u; }
        case 54u: { return 51u; }
        case 55u: { return 50u; }
        case 56u: { return 61u; }
        case 57u: { return 60u; }
        case 58u: { return 63u; }
        case 59u: { return 62u; }
        case 60u: { return 57u; }
        case 61u: { return 56u; }
        case 62u: { return 59u; }
        case 63u: { return 58u; }
        case 64u: { return 69u; }
        case 65u: { return 68u; }
        case 66u: { return 71u; }
        case 67u: { return 70u; }
        case 68u: { return 65u; }
        case 69u: { return 64u; }
        case 70u: { return 67u; }
        case 71u: { return 66u; }
        case 72u: { return 77u; }
        case 73u: { return 76u; }
        case 74u: { return 79u; }
        case 75u: { return 78u; }
        case 76u: { return 73u; }
        case 77u: { return 72u; }
        case 78u: { return 75u; }
        case 79u: { return 74u; }
        case 80u: { return 85u; }
        case 81u: { return 84u; }
        case 82u: { return 87u; }
        case 83u: { return 86u; }
        case 84u: { return 81u; }
        case 85u: { return 80u; }
        case 86u: { return 83u; }
        case 87u: { return 82u; }
        case 88u: { return 93u; }
        case 89u: { return 92u; }
        case 90u: { return 95u; }
        case 91u: { return 94u; }
        case 92u: { return 89u; }
        case 93u: { return 88u; }
        case 94u: { return 91u; }
        case 95u: { return 90u; }
        case 96u: { return 101u; }
        case 97u: { return 100u; }
        case 98u: { return 103u; }
        case 99u: { return 102u; }
        case 100u: { return 97u; }
        case 101u: { return 96u; }
        case 102u: { return 99u; }
        case 103u: { return 98u; }
        case 104u: { return 109u; }
        case 105u: { return 108u; }
        case 106u: { return 111u; }
        case 107u: { return 110u; }
        case 108u: { return 105u; }
        case 109u: { return 104u; }
        case 110u: { return 107u; }
        case 111u: { return 106u; }
        case 112u: { return 117u; }
        case 113u: { return 116u; }
        case 114u: { return 119u; }
        case 115u: { return 118u; }
        case 116u: { return 113u; }
        case 117u: { return 112u; }
        case 118u: { return 115u; }
        case 119u: { return 114u; }
        case 120u: { return 125u; }
        case 121u: { return 124u; }
        case 122u: { return 127u; }
        case 123u: { return 126u; }
        case 124u: { return 121u; }
        case 125u: { return 120u; }
        case 126u: { return 123u; }
        case 127u: { return 122u; }
        case 128u: { return 133u; }
        case 129u: { return 132u; }
        case 130u: { return 135u; }
        case 131u: { return 134u; }
        case 132u: { return 129u; }
        case 133u: { return 128u; }
        case 134u: { return 131u; }
        case 135u: { return 130u; }
        case 136u: { return 141u; }
        case 137u: { return 140u; }
        case 138u: { return 143u; }
        case 139u: { return 142u; }
        case 140u: { return 137u; }
        case 141u: { return 136u; }
        case 142u: { return 139u; }
        case 143u: { return 138u; }
        case 144u: { return 149u; }
        case 145u: { return 148u; }
        case 146u: { return 151u; }
        case 147u: { return 150u; }
        case 148u: { return 145u; }
        case 149u: { return 144u; }
        case 150u: { return 147u; }
        case 151u: { return 146u; }
        case 152u: { return 157u; }
        case 153u: { return 156u; }
        case 154u: { return 159u; }
        case 155u: { return 158u; }
        case 156u: { return 153u; }
        case 157u: { return 152u; }
        case 158u: { return 155u; }
        case 159u: { return 154u; }
        case 160u: { return 165u; }
        case 161u: { return 164u; }
        case 162u: { return 167u; }
        case 163u: { return 166u; }
        case 164u: { return 161u; }
        case 165u: { return 160u; }
        case 166u: { return 163u; }
        case 167u: { return 162u; }
        case 168u: { return 173u; }
        case 169u: { return 172u; }
        case 170u: { return 175u; }
        case 171u: { return 174u; }
        case 172u: { return 169u; }
        case 173u: { return 168u; }
        case 174u: { return 171u; }
        case 175u: { return 170u; }
        case 176u: { return 181u; }
        case 177u: { return 180u; }
        case 178u: { return 183u; }
        case 179u: { return 182u; }
        case 180u: { return 177u; }
        case 181u: { return 176u; }
        case 182u: { return 179u; }
        case 183u: { return 178u; }
        case 184u: { return 189u; }
        case 185u: { return 188u; }
        case 186u: { return 191u; }
        case 187u: { return 190u; }
        case 188u: { return 185u; }
        case 189u: { return 184u; }
        case 190u: { return 187u; }
        case 191u: { return 186u; }
        case 192u: { return 197u; }
        case 193u: { return 196u; }
        case 194u: { return 199u; }
        case 195u: { return 198u; }
        case 196u: { return 193u; }
        case 197u: { return 192u; }
        case 198u: { return 195u; }
        case 199u: { return 194u; }
        case 200u: { return 205u; }
        case 201u: { return 204u; }
        case 202u: { return 207u; }
        case 203u: { return 206u; }
        case 204u: { return 201u; }
        case 205u: { return 200u; }
        case 206u: { return 203u; }
        case 207u: { return 202u; }
        case 208u: { return 213u; }
        case 209u: { return 212u; }
        case 210u: { return 215u; }
        case 211u: { return 214u; }
        case 212u: { return 209u; }
        case 213u: { return 208u; }
        case 214u: { return 211u; }
        case 215u: { return 210u; }
        case 216u: { return 221u; }
        case 217u: { return 220u; }
        case 218u: { return 223u; }
        case 219u: { return 222u; }
        case 220u: { return 217u; }
        case 221u: { return 216u; }
        case 222u: { return 219u; }
        case 223u: { return 218u; }
        case 224u: { return 229u; }
        case 225u: { return 228u; }
        case 226u: { return 231u; }
        case 227u: { return 230u; }
        case 228u: { return 225u; }
        case 229u: { return 224u; }
        case 230u: { return 227u; }
        case 231u: { return 226u; }
        case 232u: { return 237u; }
        case 233u: { return 236u; }
        case 234u: { return 239u; }
        case 235u: { return 238u; }
        case 236u: { return 233u; }
        case 237u: { return 232u; }
        case 238u: { return 235u; }
        case 239u: { return 234u; }
        case 240u: { return 245u; }
        case 241u: { return 244u; }
        case 242u: { return 247u; }
        case 243u: { return 246u; }
        case 244u: { return 241u; }
        case 245u: { return 240u; }
        case 246u: { return 243u; }
        case 247u: { return 242u; }
        case 248u: { return 253u; }
        case 249u: { return 252u; }
        case 250u: { return 255u; }
        case 251u: { return 254u; }
        case 252u: { return 249u; }
        case 253u: { return 248u; }
        case 254u: { return 251u; }
        case 255u: { return 250u; }
        case 256u: { return 261u; }
        case 257u: { return 260u; }
        case 258u: { return 263u; }
        case 259u: { return 262u; }
        case 260u: { return 257u; }
        case 261u: { return 256u; }
        case 262u: { return 259u; }
        case 263u: { return 258u; }
        case 264u: { return 269u; }
        case 265u: { return 268u; }
        case 266u: { return 271u; }
        case 267u: { return 270u; }
        case 268u: { return 265u; }
        case 269u: { return 264u; }
        case 270u: { return 267u; }
        case 271u: { return 266u; }
        case 272u: { return 277u; }
        case 273u: { return 276u; }
        case 274u: { return 279u; }
        case 275u: { return 278u; }
        case 276u: { return 273u; }
        case 277u: { return 272u; }
        case 278u: { return 275u; }
        case 279u: { return 274u; }
        case 280u: { return 285u; }
        case 281u: { return 284u; }
        case 282u: { return 287u; }
        case 283u: { return 286u; }
        case 284u: { return 281u; }
        case 285u: { return 280u; }
        case 286u: { return 283u; }
        case 287u: { return 282u; }
        case 288u: { return 293u; }
        case 289u: { return 292u; }
        case 290u: { return 295u; }
        case 291u: { return 294u; }
        case 292u: { return 289u; }
        case 293u: { return 288u; }
        case 294u: { return 291u; }
        case 295u: { return 290u; }
        case 296u: { return 301u; }
        case 297u: { return 300u; }
        case 298u: { return 303u; }
        case 299u: { return 302u; }
        default: { return 0; }
    }
}
fn deep() -> u32 {
    var x = 0u;
    { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { x++; } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } } }
    return x;
}
