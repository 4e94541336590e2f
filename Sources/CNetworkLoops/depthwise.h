// The convolution of each channel alone, included by `loops.h`.

#include <stdbool.h>

enum { MOST_KERNEL = 5, MOST_WORDS = (MOST_KERNEL + DEPTH - 1) / DEPTH };

/// Stores the bytes of four rows side by side: those of the first channel, of the second ...
INLINED void store_interleaved(uint8_t *to, uint8x16 a, uint8x16 b, uint8x16 c, uint8x16 d) {
#ifdef HAS_NEON
    uint8x16x4_t rows = {{a, b, c, d}};
    vst4q_u8(to, rows);
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

/// One row of the result, for 16 channels. Each column of the input is interleaved once, for all outputs that it is part
/// of: rows 0 to 3 of the kernel together, the fifth by itself. `steps` are the distances of columns, 0 in rows outside.
INLINED void depthwise_row(
    const uint8_t *const rows[MOST_KERNEL], const size_t steps[MOST_KERNEL], size_t width, size_t channels,
    const size_t kernel, const size_t stride, const int8_t *packed, network_rounding rounding, uint8_t *scratch,
    uint8_t *output) {
    const size_t edge = kernel / 2, words = kernel > DEPTH ? 2 : 1, taps = kernel * words, size = sizeof(uint8x64);
    uint8_t *column = scratch;
    for (size_t x = 0; x < edge * words; x++, column += size) STORE(column, (uint8x64)FLIP);
    for (size_t x = 0; x < width; x++) {
        uint8x16 fourth = kernel > 3 ? LOAD(uint8x16, rows[3] + x * steps[3]) : (uint8x16)0;
        store_interleaved(
            column, LOAD(uint8x16, rows[0] + x * steps[0]) ^ FLIP, LOAD(uint8x16, rows[1] + x * steps[1]) ^ FLIP,
            LOAD(uint8x16, rows[2] + x * steps[2]) ^ FLIP, fourth ^ FLIP);
        column += size;
        if (words == 2) {
            uint8x16 fifth = LOAD(uint8x16, rows[4] + x * steps[4]) ^ FLIP;
            // The weights of the other three bytes are 0.
            STORE(column, __builtin_convertvector(fifth, uint32x16));
            column += size;
        }
    }
    for (size_t x = 0; x < edge * words; x++, column += size) STORE(column, (uint8x64)FLIP);

    float32x16 scales = LOAD(float32x16, rounding.scales), offsets = LOAD(float32x16, rounding.offsets);
    // Those of more taps than fit the registers are loaded again for each output.
    const bool fits = taps * VECTOR_REGISTERS <= 12;
    uint8x64 weights[MOST_KERNEL * MOST_WORDS];
    for (size_t tap = 0; tap < taps; tap++) weights[tap] = LOAD(uint8x64, packed + tap * size);
#define WEIGHTS(tap) (fits ? weights[tap] : LOAD(uint8x64, packed + (tap) * size))
    const partial_sums first = first_sums(packed, taps * size);
    for (size_t x = 0; x < (width - 1) / stride + 1; x++, output += channels) {
        const uint8_t *from = scratch + x * stride * words * size;
#define PIXELS(tap) LOAD(uint8x64, from + (tap) * size)
        // Each `dot` waits for the one before, so that a vector in one register is summed twice.
        enum { CHAINS = VECTOR_REGISTERS < 4 ? 2 : 1 };
        partial_sums sums[2] = {first, 0};
#pragma unroll
        for (size_t tap = 0; tap + 1 < taps; tap += 2) {
            partial_sums *next = &sums[tap / 2 % CHAINS];
            *next = dot2(*next, PIXELS(tap), WEIGHTS(tap), PIXELS(tap + 1), WEIGHTS(tap + 1));
        }
        if (taps % 2 == 1) sums[CHAINS - 1] = dot(sums[CHAINS - 1], PIXELS(taps - 1), WEIGHTS(taps - 1));
        if (CHAINS == 2) sums[0] += sums[1];
        STORE(output, to_scaled_bytes(total(sums[0]), scales, offsets));
    }
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
            if (kernel == 3)
                ROW(3, stride);
            else
                ROW(5, stride);
#undef ROW
        }
    }
}
