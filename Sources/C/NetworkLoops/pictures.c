#include "CNetworkLoops.h"
#include "vectors.h"

void network_neighborhoods(const uint8_t *input, network_shape shape, uint8_t outside, uint8_t *output) {
    enum { CHANNELS = 3, SIDE = 3, ROW = SIDE * CHANNELS };
    const size_t stripe = shape.width * CHANNELS;
    for (size_t y = 0; y < shape.height; y += 2) {
        for (size_t x = 0; x < shape.width; x += 2) {
            // Both sides are even, so that only the first row and column may be outside.
            const uint8_t *from = input + y * stripe + x * CHANNELS;
            for (size_t row = 0; row < SIDE; row++, output += ROW) {
                if (y + row == 0)
                    memset(output, outside, ROW);
                else if (x == 0) {
                    memset(output, outside, CHANNELS);
                    memcpy(output + CHANNELS, from + (row - 1) * stripe, ROW - CHANNELS);
                } else
                    memcpy(output, from + (row - 1) * stripe - CHANNELS, ROW);
            }
            *output++ = 0;
        }
    }
}

void network_add(
    const uint8_t *a, const uint8_t *b, size_t count, const float scales[2], float offset, uint8_t *output) {
    for (size_t index = 0; index < count; index += LANES) {
        float32x16 first = __builtin_convertvector(LOAD(uint8x16, a + index), float32x16) * scales[0];
        float32x16 second = __builtin_convertvector(LOAD(uint8x16, b + index), float32x16) * scales[1];
        STORE(output + index, to_bytes(first + second + offset));
    }
}

/// Of 16 channels of a column, 3/4 in one row and 1/4 in another, times 4.
INLINED uint16x16 mixed(const uint8_t *near, const uint8_t *far) {
    return __builtin_convertvector(LOAD(uint8x16, near), uint16x16) * 3 +
           __builtin_convertvector(LOAD(uint8x16, far), uint16x16);
}

void network_double(const uint8_t *input, network_shape shape, uint8_t *output) {
    const size_t stripe = shape.width * shape.channels;
    for (size_t y = 0; y < 2 * shape.height; y++) {
        for (size_t channel = 0; channel < shape.channels; channel += LANES) {
            const uint8_t *near = input + y / 2 * stripe + channel;
            const uint8_t *far = input + farther(y, shape.height) * stripe + channel;
            uint8_t *to = output + y * 2 * stripe + channel;
            uint16x16 here = mixed(near, far), before = here;
            for (size_t x = 0; x < shape.width; x++, to += 2 * shape.channels) {
                size_t after = (x + 1) * shape.channels;
                uint16x16 next = after < stripe ? mixed(near + after, far + after) : here;
                STORE(to, __builtin_convertvector((here * 3 + before + 8) >> 4, uint8x16));
                STORE(to + shape.channels, __builtin_convertvector((here * 3 + next + 8) >> 4, uint8x16));
                before = here;
                here = next;
            }
        }
    }
}

void network_average(const uint8_t *input, network_shape shape, float scale, float offset, uint8_t *output) {
    for (size_t channel = 0; channel < shape.channels; channel += LANES) {
        int32x16 sums = 0;
        for (size_t pixel = 0; pixel < shape.width * shape.height; pixel++)
            sums += __builtin_convertvector(LOAD(uint8x16, input + pixel * shape.channels + channel), int32x16);
        STORE(output + channel, to_scaled_bytes(sums, scale, offset));
    }
}

void network_head(
    const uint8_t *input, network_shape shape, const int8_t *weights, float scale, float offset, float *output) {
    enum { SIDE = 3 };
    for (size_t y = 0; y < shape.height; y++) {
        // Of the three rows, those inside the picture.
        const size_t first = y > 0 ? 0 : 1, last = y + 1 < shape.height ? SIDE : SIDE - 1;
        for (size_t x = 0; x < shape.width; x++) {
            const size_t left = x > 0 ? 0 : 1, right = x + 1 < shape.width ? SIDE : SIDE - 1;
            int32x8 sums = 0;
            for (size_t row = first; row < last; row++) {
                for (size_t column = left; column < right; column++) {
                    const size_t place = (y + row - 1) * shape.width + x + column - 1;
                    uint8x16 pixel = LOAD(uint8x16, input + place * LANES);
                    int8x16 factors = LOAD(int8x16, weights + (row * SIDE + column) * LANES);
                    int32x16 products =
                        __builtin_convertvector(pixel, int32x16) * __builtin_convertvector(factors, int32x16);
#ifdef HAS_NEON
                    sums += products.lo + products.hi;
#else
                    // Of pairs, which SSE2 multiplies and adds by one instruction.
                    sums += products.even + products.odd;
#endif
                }
            }
            *output++ = (float)__builtin_reduce_add(sums) * scale + offset;
        }
    }
}
