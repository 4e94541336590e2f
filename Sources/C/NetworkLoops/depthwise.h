// The convolution of each channel alone, included by `loops.h`.

#include <stdbool.h>

enum { MOST_KERNEL = 5, MOST_TAPS = MOST_KERNEL + 2 };

/// Stores the bytes of four rows side by side: those of the first channel, of the second ...
INLINED void store_interleaved(uint8_t *to, uint8x16 a, uint8x16 b, uint8x16 c, uint8x16 d) {
#ifdef HAS_NEON
    uint8x16x4_t rows = {{a, b, c, d}};
    vst4q_u8(to, rows);
#elif defined(HAS_AVX512)
    // The first shuffle gives each quarter four bytes of each row, the second one orders them. Without the barrier, the
    // compiler merges them into one that takes many more instructions.
    uint8x16 rows[4] = {a, b, c, d};
    __m512i all, quarters = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    memcpy(&all, rows, sizeof all);
    all = _mm512_permutexvar_epi32(quarters, all);
    __asm__("" : "+v"(all));
    __m128i places = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    all = _mm512_shuffle_epi8(all, _mm512_broadcast_i32x4(places));
    STORE(to, all);
#else
    typedef uint8_t uint8x32 __attribute__((ext_vector_type(32)));
    uint8x32 upper = __builtin_shufflevector(
        a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
        29, 30, 31);
    uint8x32 lower = __builtin_shufflevector(
        c, d, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
        29, 30, 31);
    uint8x64 interleaved = __builtin_shufflevector(
        upper, lower, 0, 16, 32, 48, 1, 17, 33, 49, 2, 18, 34, 50, 3, 19, 35, 51, 4, 20, 36, 52, 5, 21, 37, 53, 6, 22, 38,
        54, 7, 23, 39, 55, 8, 24, 40, 56, 9, 25, 41, 57, 10, 26, 42, 58, 11, 27, 43, 59, 12, 28, 44, 60, 13, 29, 45, 61,
        14, 30, 46, 62, 15, 31, 47, 63);
    STORE(to, interleaved);
#endif
}

/// Stores a column of up to five rows: the first four together, and the fifth with those of the three columns before.
INLINED void store_column(uint8_t *to, const uint8x16 rows[MOST_KERNEL], const bool has_fifth, uint8x16 fifths[DEPTH]) {
    store_interleaved(to, rows[0] ^ FLIP, rows[1] ^ FLIP, rows[2] ^ FLIP, rows[3] ^ FLIP);
    if (!has_fifth) return;
    fifths[0] = fifths[1], fifths[1] = fifths[2], fifths[2] = fifths[3], fifths[3] = rows[4] ^ FLIP;
    store_interleaved(to + sizeof(uint8x64), fifths[0], fifths[1], fifths[2], fifths[3]);
}

/// `count` pixels of the result, for 16 channels; `weights` are those of `packed`, or NULL if they do not fit the
/// registers.
INLINED void depthwise_pixels(
    const uint8_t *columns, size_t channels, const size_t kernel, const size_t stride, const int8_t *packed,
    const uint8x64 *weights, partial_sums *first, float32x16 scales, float32x16 offsets, uint8_t *output,
    const size_t count) {
    const bool has_fifth = kernel > DEPTH;
    const size_t taps = kernel + 2 * has_fifth, size = sizeof(uint8x64), step = size * (1 + has_fifth);
    partial_sums sums[MOST_PIXELS];
#pragma unroll
    for (size_t pixel = 0; pixel < count; pixel++) {
        LOAD_AGAIN(*first);
        sums[pixel] = *first;
    }
#define WEIGHTS(tap) (weights != NULL ? weights[tap] : LOAD(uint8x64, packed + (tap) * size))
// The words of the fifth row begin in columns 0 and 1, and are stored with the last of their columns.
#define COLUMN(tap) ((tap) < kernel ? (tap) * step : ((tap) - 2) * step + size)
#define PIXELS(tap) LOAD(uint8x64, columns + pixel * stride * step + COLUMN(tap))
#pragma unroll
    for (size_t tap = 0; tap + 1 < taps; tap += 2) {
        uint8x64 even = WEIGHTS(tap), odd = WEIGHTS(tap + 1);
#pragma unroll
        for (size_t pixel = 0; pixel < count; pixel++)
            sums[pixel] = dot2(sums[pixel], PIXELS(tap), even, PIXELS(tap + 1), odd);
    }
#pragma unroll
    for (size_t pixel = 0; pixel < count; pixel++) {
        // Their number is odd.
        partial_sums all = dot(sums[pixel], PIXELS(taps - 1), WEIGHTS(taps - 1));
        STORE(output + pixel * channels, to_scaled_bytes(total(all), scales, offsets));
    }
}

/// One row of the result, for 16 channels. Each column of the input is interleaved once, for all outputs that it is
/// part of. `steps` are the distances of columns, 0 in rows outside.
INLINED void depthwise_row(
    const uint8_t *const rows[MOST_KERNEL], const size_t steps[MOST_KERNEL], size_t width, size_t channels,
    const size_t kernel, const size_t stride, const int8_t *packed, network_rounding rounding, uint8_t *scratch,
    uint8_t *output) {
    const bool has_fifth = kernel > DEPTH;
    const size_t edge = kernel / 2, taps = kernel + 2 * has_fifth;
    const size_t size = sizeof(uint8x64), step = size * (1 + has_fifth);
    uint8_t *to = scratch;
    uint8x16 column[MOST_KERNEL] = {0}, fifths[DEPTH] = {FLIP, FLIP, FLIP, FLIP};
    for (size_t x = 0; x < edge; x++, to += step) store_column(to, column, has_fifth, fifths);
    const uint8_t *from[MOST_KERNEL];
    memcpy(from, rows, sizeof from);
    for (size_t x = 0; x < width; x++, to += step) {
        for (size_t row = 0; row < kernel; row++, from[row - 1] += steps[row - 1]) column[row] = LOAD(uint8x16, from[row]);
        store_column(to, column, has_fifth, fifths);
    }
    memset(column, 0, sizeof column);
    for (size_t x = 0; x < edge; x++, to += step) store_column(to, column, has_fifth, fifths);

    float32x16 scales = LOAD(float32x16, rounding.scales), offsets = LOAD(float32x16, rounding.offsets);
    uint8x64 weights[MOST_TAPS];
    for (size_t tap = 0; tap < taps; tap++) weights[tap] = LOAD(uint8x64, packed + tap * size);
    // Those of more taps than fit the registers are loaded again.
    const bool fits = taps * VECTOR_REGISTERS < 12;
    partial_sums first = first_sums(packed, taps * size);
    const size_t columns = (width - 1) / stride + 1;
#define DEPTHWISE(count) \
    depthwise_pixels( \
        scratch + x * stride * step, channels, kernel, stride, packed, fits ? weights : NULL, &first, scales, offsets, \
        output + x * channels, count)
    size_t x = 0;
    for (; x + MOST_PIXELS <= columns; x += MOST_PIXELS) DEPTHWISE(MOST_PIXELS);
    for (; x < columns; x++) DEPTHWISE(1);
#undef DEPTHWISE
}

static void depthwise(
    const uint8_t *input, network_shape shape, size_t kernel, size_t stride, const int8_t *packed,
    network_rounding rounding, uint8_t *scratch, uint8_t *output) {
    static const uint8_t zeros[LANES];
    const size_t stripe = shape.width * shape.channels;
    const size_t columns = (shape.width - 1) / stride + 1;
    for (size_t y = 0; y < (shape.height - 1) / stride + 1; y++) {
        for (size_t channel = 0; channel < shape.channels; channel += LANES) {
            const uint8_t *rows[MOST_KERNEL] = {zeros, zeros, zeros, zeros, zeros};
            size_t steps[MOST_KERNEL] = {0};
            for (size_t row = 0; row < kernel; row++) {
                size_t source = y * stride + row - kernel / 2;
                // Above the first row, the difference wraps around.
                if (source >= shape.height) continue;
                rows[row] = input + source * stripe + channel;
                steps[row] = shape.channels;
            }
            network_rounding at = {rounding.scales + channel, rounding.offsets + channel};
            uint8_t *to = output + y * columns * shape.channels + channel;
            const int8_t *weights = packed + network_depthwise_size(channel, kernel);
#define ROW(kernel, stride) \
    depthwise_row(rows, steps, shape.width, shape.channels, kernel, stride, weights, at, scratch, to)
            if (kernel == 3 && stride == 1)
                ROW(3, 1);
            else if (kernel == 3)
                ROW(3, 2);
            else if (stride == 1)
                ROW(5, 1);
            else
                ROW(5, 2);
#undef ROW
        }
    }
}
