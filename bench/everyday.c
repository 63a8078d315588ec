/* Ordinary kernels, as people write them for WebGPU, each beside the loop in C that one would write for a processor:
 * what shows where native code falls off a cliff. bench/kernels/everyday/NAME.wgsl on the device "cpu" with one thread
 * in subgroups of 32, CPU time of this thread, medians; prints a line of JSON each. The C loops are compiled with -O3
 * -march=native (cmake/targets.cmake).
 *
 * Both must give the same: integers exactly, floats to TOLERANCE; else a message and exit 3.
 *
 *   everyday [--runs N] [NAME...]     without names: all */
#define _DEFAULT_SOURCE
#include "measure.h"

#include <math.h>
#include <stdint.h>

static int runs = 9;

/* ---- Inputs: the same words in each run, as random as their counter's hash. */

/* The last steps of MurmurHash3 (Appleby, public domain). */
static uint32_t random_word(uint32_t i)
{
    i = (i ^ i >> 16) * 0x85ebca6bu;
    i = (i ^ i >> 13) * 0xc2b2ae35u;
    return i ^ i >> 16;
}

/* In [0, 1). */
static float random_fraction(uint32_t i)
{
    return (float)(random_word(i) >> 8) / (float)(1 << 24);
}

/* Each fills `count` words from its own part of the counter, so that two inputs of a kernel differ. */
static void fill_words(void *to, size_t count, uint32_t from)
{
    uint32_t *word = to;
    for (size_t i = 0; i < count; i++)
        word[i] = random_word(from + (uint32_t)i);
}

static void fill_fractions(void *to, size_t count, uint32_t from)
{
    float *x = to;
    for (size_t i = 0; i < count; i++)
        x[i] = random_fraction(from + (uint32_t)i);
}

/* In [-3, 3): where gelu bends, and sums cancel. */
static void fill_signed(void *to, size_t count, uint32_t from)
{
    float *x = to;
    for (size_t i = 0; i < count; i++)
        x[i] = random_fraction(from + (uint32_t)i) * 6 - 3;
}

/* Levels as in a picture: the middle ones are the most frequent, so neighbours often meet in one counter. */
static void fill_levels(void *to, size_t count, uint32_t from)
{
    uint32_t *level = to;
    for (size_t i = 0; i < count; i++) {
        uint32_t word = random_word(from + (uint32_t)i);
        level[i] = (word & 127) + (word >> 8 & 127);
    }
}

/* An f32 scale and four words of eight weights each. */
enum { BLOCK_WORDS = 5 };

static void fill_blocks(void *to, size_t count, uint32_t from)
{
    fill_words(to, count, from);
    float *scale = to;
    for (size_t i = 0; i < count; i += BLOCK_WORDS)
        scale[i] = random_fraction(from + (uint32_t)i);
}

/* ---- The loops in C; sizes are those of the kernels. b is NULL where there is no second input; c begins as zeros. */

enum { MATMUL_N = 512 };

static void matmul(const void *restrict first, const void *restrict second, void *restrict result)
{
    const float *a = first, *b = second;
    float *c = result;
    memset(c, 0, sizeof *c * MATMUL_N * MATMUL_N);
    for (int i = 0; i < MATMUL_N; i++)
        for (int k = 0; k < MATMUL_N; k++)
            for (int j = 0; j < MATMUL_N; j++)
                c[i * MATMUL_N + j] += a[i * MATMUL_N + k] * b[k * MATMUL_N + j];
}

enum { IMAGE_N = 1024 };

static void conv3(const void *restrict first, const void *restrict second, void *restrict result)
{
    const float *image = first, *weights = second;
    float *out = result;
    for (int y = 1; y < IMAGE_N - 1; y++)
        for (int x = 1; x < IMAGE_N - 1; x++) {
            float sum = 0;
            for (int j = 0; j < 3; j++)
                for (int i = 0; i < 3; i++)
                    sum += weights[j * 3 + i] * image[(y + j - 1) * IMAGE_N + x + i - 1];
            out[y * IMAGE_N + x] = sum;
        }
}

enum { BODIES = 2048 };

static void nbody(const void *restrict first, const void *restrict second, void *restrict result)
{
    typedef struct four {
        float x, y, z, w;
    } four;
    const four *body = first;
    four *acceleration = result;
    (void)second;
    for (int i = 0; i < BODIES; i++) {
        four sum = {0, 0, 0, 0};
        for (int j = 0; j < BODIES; j++) {
            float x = body[j].x - body[i].x, y = body[j].y - body[i].y, z = body[j].z - body[i].z;
            float r = 1 / sqrtf(x * x + y * y + z * z + 0.01f);
            float pull = body[j].w * r * r * r;
            sum.x += x * pull;
            sum.y += y * pull;
            sum.z += z * pull;
        }
        acceleration[i] = sum;
    }
}

enum { SOFTMAX_ROWS = 256, SOFTMAX_N = 1024 };

static void softmax(const void *restrict first, const void *restrict second, void *restrict result)
{
    (void)second;
    for (int r = 0; r < SOFTMAX_ROWS; r++) {
        const float *x = (const float *)first + r * SOFTMAX_N;
        float *y = (float *)result + r * SOFTMAX_N;
        float top = -1e30f, sum = 0;
        for (int i = 0; i < SOFTMAX_N; i++)
            top = x[i] > top ? x[i] : top;
        for (int i = 0; i < SOFTMAX_N; i++)
            sum += y[i] = expf(x[i] - top);
        for (int i = 0; i < SOFTMAX_N; i++)
            y[i] /= sum;
    }
}

/* In tiles, as the kernel does: whole columns would leave the caches. */
enum { TRANSPOSE_N = 1024, TRANSPOSE_TILE = 32 };

static void transpose(const void *restrict first, const void *restrict second, void *restrict result)
{
    const float *x = first;
    float *y = result;
    (void)second;
    for (int row = 0; row < TRANSPOSE_N; row += TRANSPOSE_TILE)
        for (int column = 0; column < TRANSPOSE_N; column += TRANSPOSE_TILE)
            for (int j = column; j < column + TRANSPOSE_TILE; j++)
                for (int i = row; i < row + TRANSPOSE_TILE; i++)
                    y[j * TRANSPOSE_N + i] = x[i * TRANSPOSE_N + j];
}

enum { HISTOGRAM_N = 1 << 20, LEVELS = 256 };

static void histogram(const void *restrict first, const void *restrict second, void *restrict result)
{
    const uint32_t *pixel = first;
    uint32_t *count = result;
    (void)second;
    for (int i = 0; i < HISTOGRAM_N; i++)
        count[pixel[i] & 255]++;
}

enum { SCAN_N = 1 << 20, SCAN_BLOCK = 256 };

static void scan(const void *restrict first, const void *restrict second, void *restrict result)
{
    const uint32_t *x = first;
    uint32_t *y = result;
    (void)second;
    for (int block = 0; block < SCAN_N; block += SCAN_BLOCK) {
        uint32_t sum = 0;
        for (int i = block; i < block + SCAN_BLOCK; i++)
            y[i] = sum += x[i];
    }
}

enum { DEQUANT_ROWS = 2048, BLOCKS = 64, BLOCK_WEIGHTS = 32 };

static float dequant_block(const uint32_t *block, const float *x)
{
    float scale, sum = 0;
    memcpy(&scale, block, sizeof scale);
    for (int w = 0; w < 4; w++)
        for (int i = 0; i < 8; i++)
            sum += (float)((int)(block[1 + w] >> (i * 4) & 15) - 8) * x[w * 8 + i];
    return scale * sum;
}

static void dequant(const void *restrict first, const void *restrict second, void *restrict result)
{
    const uint32_t *block = first;
    const float *x = second;
    float *y = result;
    for (int r = 0; r < DEQUANT_ROWS; r++) {
        float sum = 0;
        for (int b = 0; b < BLOCKS; b++, block += BLOCK_WORDS)
            sum += dequant_block(block, x + b * BLOCK_WEIGHTS);
        y[r] = sum;
    }
}

enum { GELU_N = 1 << 18 };

static void gelu(const void *restrict first, const void *restrict second, void *restrict result)
{
    const float *x = first;
    float *y = result;
    (void)second;
    for (int i = 0; i < GELU_N; i++)
        y[i] = 0.5f * x[i] * (1 + tanhf(0.7978845608f * (x[i] + 0.044715f * x[i] * x[i] * x[i])));
}

enum { GRAY_N = 1 << 18 };

static void gray(const void *restrict first, const void *restrict second, void *restrict result)
{
    const uint32_t *pixel = first;
    float *luminance = result;
    (void)second;
    for (int i = 0; i < GRAY_N; i++) {
        float r = (float)(pixel[i] & 255), g = (float)(pixel[i] >> 8 & 255), b = (float)(pixel[i] >> 16 & 255);
        luminance[i] = (0.2126f * r + 0.7152f * g + 0.0722f * b) * (1 / 255.0f);
    }
}

enum { TRANSFORM_N = 1 << 16 };

static void transform(const void *restrict first, const void *restrict second, void *restrict result)
{
    const float *x = first, *m = second;
    float *y = result;
    for (int i = 0; i < TRANSFORM_N; i++)
        for (int r = 0; r < 4; r++)
            y[4 * i + r] =
                m[r] * x[4 * i] + m[4 + r] * x[4 * i + 1] + m[8 + r] * x[4 * i + 2] + m[12 + r] * x[4 * i + 3];
}

/* ---- The table. */

typedef struct input {
    void (*fill)(void *to, size_t count, uint32_t from);
    size_t words;
} input;

/* A kernel binds its inputs, then its result; all consist of 32-bit words. */
typedef struct pair {
    const char *name;
    uint32_t groups[2];
    void (*in_c)(const void *restrict first, const void *restrict second, void *restrict result);
    input first, second; /* second.words 0: there is none */
    size_t result_words;
    enum { FLOATS, INTEGERS } result;
} pair;

enum {
    MATMUL_WORDS = MATMUL_N * MATMUL_N,
    IMAGE_WORDS = IMAGE_N * IMAGE_N,
    BODY_WORDS = BODIES * 4,
    SOFTMAX_WORDS = SOFTMAX_ROWS * SOFTMAX_N,
    TILES_WORDS = TRANSPOSE_N * TRANSPOSE_N,
    Q_WORDS = DEQUANT_ROWS * BLOCKS * BLOCK_WORDS,
    X_WORDS = BLOCKS * BLOCK_WEIGHTS,
    FOUR_WORDS = TRANSFORM_N * 4
};

static const pair pairs[] = {
    {"matmul_naive", {32, 32}, matmul, {fill_signed, MATMUL_WORDS}, {fill_signed, MATMUL_WORDS}, MATMUL_WORDS, FLOATS},
    {"matmul_tiled", {32, 32}, matmul, {fill_signed, MATMUL_WORDS}, {fill_signed, MATMUL_WORDS}, MATMUL_WORDS, FLOATS},
    {"conv3", {64, 64}, conv3, {fill_fractions, IMAGE_WORDS}, {fill_signed, 9}, IMAGE_WORDS, FLOATS},
    {"nbody", {32, 1}, nbody, {fill_fractions, BODY_WORDS}, {0}, BODY_WORDS, FLOATS},
    {"softmax", {256, 1}, softmax, {fill_signed, SOFTMAX_WORDS}, {0}, SOFTMAX_WORDS, FLOATS},
    {"transpose", {32, 32}, transpose, {fill_signed, TILES_WORDS}, {0}, TILES_WORDS, FLOATS},
    {"histogram", {256, 1}, histogram, {fill_levels, HISTOGRAM_N}, {0}, LEVELS, INTEGERS},
    {"scan", {4096, 1}, scan, {fill_words, SCAN_N}, {0}, SCAN_N, INTEGERS},
    {"dequant", {2048, 1}, dequant, {fill_blocks, Q_WORDS}, {fill_signed, X_WORDS}, DEQUANT_ROWS, FLOATS},
    {"gelu4", {1024, 1}, gelu, {fill_signed, GELU_N}, {0}, GELU_N, FLOATS},
    {"gray", {4096, 1}, gray, {fill_words, GRAY_N}, {0}, GRAY_N, FLOATS},
    {"gray_small", {32768, 1}, gray, {fill_words, GRAY_N}, {0}, GRAY_N, FLOATS},
    {"transform", {1024, 1}, transform, {fill_signed, FOUR_WORDS}, {fill_signed, 16}, FOUR_WORDS, FLOATS},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

/* ---- Both sides, in memory of their own on large pages. */

typedef struct sides {
    const pair *what;
    kernel kernel;
    void *first, *second, *result; /* of the C loop */
} sides;

static void *fill_input(const input *in, uint32_t from)
{
    if (in->words == 0) return NULL;
    void *data = large(in->words * 4);
    in->fill(data, in->words, from);
    return data;
}

static void open_sides(sides *s, const pair *what)
{
    char path[128];
    snprintf(path, sizeof path, "bench/kernels/everyday/%s.wgsl", what->name);
    s->what = what;
    s->first = fill_input(&what->first, 0);
    s->second = fill_input(&what->second, 1u << 24);
    s->result = large(what->result_words * 4);
    open_kernel(&s->kernel, path, "cpu", 32, 1, NULL);
    add_buffer(&s->kernel, s->first, what->first.words * 4);
    if (s->second) add_buffer(&s->kernel, s->second, what->second.words * 4);
    add_buffer(&s->kernel, NULL, what->result_words * 4);
}

static void close_sides(sides *s)
{
    close_kernel(&s->kernel);
    free(s->first);
    free(s->second);
    free(s->result);
}

static void run_wgsl(sides *s)
{
    dispatch_kernel(&s->kernel, s->what->groups[0], s->what->groups[1]);
}

static void run_c(sides *s)
{
    s->what->in_c(s->first, s->second, s->result);
}

/* ---- Whether they agree. */

/* Of a value and of the mean magnitude: sums of thousands of terms, in other orders, that cancel. */
#define TOLERANCE 1e-5

static void fail(const pair *what, size_t i, double ours, double theirs)
{
    fprintf(stderr, "everyday: %s: result[%zu] is %.9g, in C %.9g\n", what->name, i, ours, theirs);
    exit(3);
}

static void check_integers(const pair *what, const uint32_t *ours, const uint32_t *theirs)
{
    for (size_t i = 0; i < what->result_words; i++)
        if (ours[i] != theirs[i]) fail(what, i, ours[i], theirs[i]);
}

static void check_floats(const pair *what, const float *ours, const float *theirs)
{
    double mean = 0;
    for (size_t i = 0; i < what->result_words; i++)
        mean += fabs((double)theirs[i]) / (double)what->result_words;
    for (size_t i = 0; i < what->result_words; i++) {
        double allowed = TOLERANCE * (fabs((double)theirs[i]) + mean);
        if (!(fabs((double)ours[i] - (double)theirs[i]) <= allowed)) fail(what, i, (double)ours[i], (double)theirs[i]);
    }
}

/* After one run of each: the histogram's counts go on from run to run. */
static void check_result(sides *s)
{
    size_t bytes = s->what->result_words * 4;
    void *ours = large(bytes);
    check(tsr_buffer_read(s->kernel.buffer[s->kernel.count - 1], 0, ours, bytes));
    if (s->what->result == INTEGERS)
        check_integers(s->what, ours, s->result);
    else
        check_floats(s->what, ours, s->result);
    free(ours);
}

/* ---- Measuring. */

/* Once more before the clock is read, so that both sides' caches are equally warm. */
static double time_of(sides *s, void (*work)(sides *s))
{
    enum { TIMES = 4 };
    work(s);
    double start = cpu_ms();
    for (int t = 0; t < TIMES; t++)
        work(s);
    return (cpu_ms() - start) / TIMES;
}

static void bench_pair(const pair *what)
{
    double ours[RUNS_MAX], theirs[RUNS_MAX];
    sides s;
    open_sides(&s, what);
    run_wgsl(&s);
    run_c(&s);
    check_result(&s);
    for (int i = 0; i < runs; i++) {
        ours[i] = time_of(&s, run_wgsl);
        theirs[i] = time_of(&s, run_c);
    }
    double a = median(ours, runs), b = median(theirs, runs);
    printf("{\"everyday\": \"%s\", \"us\": %.1f, \"peer\": \"C\", \"peer_us\": %.1f, \"ratio\": %.2f}\n", what->name,
           a * 1e3, b * 1e3, a / b);
    fflush(stdout);
    close_sides(&s);
}

static const pair *find_pair(const char *name)
{
    for (int i = 0; i < PAIRS; i++)
        if (strcmp(pairs[i].name, name) == 0) return &pairs[i];
    return NULL;
}

int main(int argc, char **argv)
{
    const pair *chosen[PAIRS];
    int count = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--runs") == 0 && i + 1 < argc) {
            runs = atoi(argv[++i]);
            runs = runs < 1 ? 1 : runs > RUNS_MAX ? RUNS_MAX : runs;
        } else if (count == PAIRS || !(chosen[count++] = find_pair(argv[i]))) {
            fprintf(stderr, "usage: everyday [--runs N] [NAME...]     names: those of bench/kernels/everyday\n");
            return 2;
        }
    }
    for (int i = 0; i < (count ? count : PAIRS); i++)
        bench_pair(count ? chosen[i] : &pairs[i]);
    return 0;
}
