// The kernels, included by one file for each kind of processor. That file defines
//   KERNELS, NAME  the table and its name,
//   dot(s, x, w)   a function that adds to each lane of s the sum of four products of bytes of x and signed bytes of w,
//   MOST_PANELS    how many panels of 16 outputs are computed at a time, and
//   ROWS(panels)   of how many pixels, so that the sums stay in registers.

#include "kernels.h"

/// Four bytes, repeated for each lane.
INLINED bytes64 repeated(const uint8_t *from) {
    int16 words = LOAD(int32_t, from);
    bytes64 bytes;
    memcpy(&bytes, &words, sizeof bytes);
    return bytes;
}

INLINED void multiply_block(
    const uint8_t *input, size_t inputs, const int8_t *packed, size_t outputs, size_t first, network_rounding rounding,
    uint8_t *output, const size_t rows, const size_t panels) {
    int16 sums[rows][panels];
    for (size_t row = 0; row < rows; row++)
        for (size_t panel = 0; panel < panels; panel++) sums[row][panel] = 0;
    for (size_t k = 0; k < inputs; k += DEPTH) {
        bytes64 weights[panels];
        for (size_t panel = 0; panel < panels; panel++)
            weights[panel] = LOAD(bytes64, packed + (panel * inputs + k) * LANES);
        for (size_t row = 0; row < rows; row++) {
            bytes64 pixel = repeated(input + row * inputs + k);
            for (size_t panel = 0; panel < panels; panel++) sums[row][panel] = dot(sums[row][panel], pixel, weights[panel]);
        }
    }
    for (size_t panel = 0; panel < panels; panel++) {
        size_t channel = first + panel * LANES;
        float16 scales = LOAD(float16, rounding.scales + channel);
        float16 offsets = LOAD(float16, rounding.offsets + channel);
        for (size_t row = 0; row < rows; row++) {
            bytes16 bytes = to_bytes(__builtin_convertvector(sums[row][panel], float16) * scales + offsets);
            uint8_t *to = output + row * outputs + channel;
            if (outputs - channel >= LANES)
                STORE(to, bytes);
            else
                memcpy(to, &bytes, outputs - channel);
        }
    }
}

/// The last block of pixels overlaps the one before, which gives the same bytes again.
#define MULTIPLY_PANELS(panels) \
    for (size_t pixel = 0; pixel < pixels;) { \
        if (pixels < ROWS(panels)) { \
            multiply_block( \
                input + pixel * inputs, inputs, packed, outputs, first, rounding, output + pixel * outputs, 1, panels); \
            pixel++; \
        } else { \
            if (pixel + ROWS(panels) > pixels) pixel = pixels - ROWS(panels); \
            multiply_block( \
                input + pixel * inputs, inputs, packed, outputs, first, rounding, output + pixel * outputs, \
                ROWS(panels), panels); \
            pixel += ROWS(panels); \
        } \
    }

static void multiply(
    const uint8_t *input, size_t pixels, size_t inputs, const int8_t *packed, size_t outputs, network_rounding rounding,
    uint8_t *output) {
    size_t first = 0;
    while (first < outputs) {
        size_t panels = (outputs - first + LANES - 1) / LANES;
        if (panels > MOST_PANELS) panels = MOST_PANELS;
        switch (panels) {
#if MOST_PANELS >= 4
            case 4: MULTIPLY_PANELS(4) break;
            case 3: MULTIPLY_PANELS(3) break;
            case 2: MULTIPLY_PANELS(2) break;
#endif
            default: MULTIPLY_PANELS(1) break;
        }
        first += panels * LANES;
        packed += panels * LANES * inputs;
    }
}

/// The bytes of four rows side by side: those of the first channel, of the second ...
INLINED bytes64 interleaved(bytes16 a, bytes16 b, bytes16 c, bytes16 d) {
    typedef uint8_t bytes32 __attribute__((ext_vector_type(32)));
    bytes32 upper = __builtin_shufflevector(
        a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
        29, 30, 31);
    bytes32 lower = __builtin_shufflevector(
        c, d, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
        29, 30, 31);
    return __builtin_shufflevector(
        upper, lower, 0, 16, 32, 48, 1, 17, 33, 49, 2, 18, 34, 50, 3, 19, 35, 51, 4, 20, 36, 52, 5, 21, 37, 53, 6, 22, 38,
        54, 7, 23, 39, 55, 8, 24, 40, 56, 9, 25, 41, 57, 10, 26, 42, 58, 11, 27, 43, 59, 12, 28, 44, 60, 13, 29, 45, 61,
        14, 30, 46, 62, 15, 31, 47, 63);
}

/// One row of the result, for 16 channels. Each column of the input is interleaved once, for all outputs that it is part
/// of: rows 0 to 3 of the kernel together, the fifth by itself.
INLINED void depthwise_row(
    const uint8_t *const rows[5], const size_t steps[5], size_t width, size_t channels, const size_t kernel,
    const size_t stride, const int8_t *packed, network_rounding rounding, uint8_t *scratch, uint8_t *output) {
    const size_t edge = kernel / 2, words = kernel > DEPTH ? 2 : 1, size = sizeof(bytes64);
    uint8_t *column = scratch;
    for (size_t x = 0; x < edge * words; x++, column += size) STORE(column, (bytes64)0);
    for (size_t x = 0; x < width; x++) {
        bytes16 lowest = kernel > 3 ? LOAD(bytes16, rows[3] + x * steps[3]) : (bytes16)0;
        STORE(
            column,
            interleaved(
                LOAD(bytes16, rows[0] + x * steps[0]), LOAD(bytes16, rows[1] + x * steps[1]),
                LOAD(bytes16, rows[2] + x * steps[2]), lowest));
        column += size;
        if (words == 2) {
            STORE(column, __builtin_convertvector(LOAD(bytes16, rows[4] + x * steps[4]), int16));
            column += size;
        }
    }
    for (size_t x = 0; x < edge * words; x++, column += size) STORE(column, (bytes64)0);

    float16 scales = LOAD(float16, rounding.scales), offsets = LOAD(float16, rounding.offsets);
    bytes64 weights[kernel * words];
    for (size_t tap = 0; tap < kernel * words; tap++) weights[tap] = LOAD(bytes64, packed + tap * size);
    for (size_t x = 0; x < (width - 1) / stride + 1; x++, output += channels) {
        const uint8_t *from = scratch + x * stride * words * size;
        int16 sums = 0, others = 0;
        for (size_t tap = 0; tap < kernel * words; tap += 2) {
            sums = dot(sums, LOAD(bytes64, from + tap * size), weights[tap]);
            if (tap + 1 < kernel * words) others = dot(others, LOAD(bytes64, from + (tap + 1) * size), weights[tap + 1]);
        }
        STORE(output, to_bytes(__builtin_convertvector(sums + others, float16) * scales + offsets));
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
            const uint8_t *rows[5] = {zeros, zeros, zeros, zeros, zeros};
            size_t steps[5] = {0};
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
#define DEPTHWISE_ROW(kernel, stride) \
    depthwise_row(rows, steps, shape.width, shape.channels, kernel, stride, weights, at, scratch, to)
            if (kernel == 3 && stride == 1)
                DEPTHWISE_ROW(3, 1);
            else if (kernel == 3)
                DEPTHWISE_ROW(3, stride);
            else if (stride == 1)
                DEPTHWISE_ROW(5, 1);
            else
                DEPTHWISE_ROW(5, stride);
        }
    }
}

const network_kernels KERNELS = {NAME, multiply, depthwise};
