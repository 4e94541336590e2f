#include "CNetworkLoops.h"
#include "vectors.h"

void network_neighborhoods(const uint8_t *input, network_shape shape, uint8_t outside, uint8_t *output) {
    enum { CHANNELS = 3, SIDE = 3 };
    for (size_t y = 0; y < shape.height; y += 2) {
        for (size_t x = 0; x < shape.width; x += 2) {
            for (size_t row = y - 1; row != y + 2; row++) {
                // Only above and to the left can a pixel be outside; the difference then wraps around.
                for (size_t column = x - 1; column != x + 2; column++) {
                    bool is_inside = row < shape.height && column < shape.width;
                    for (size_t channel = 0; channel < CHANNELS; channel++)
                        *output++ = is_inside ? input[(row * shape.width + column) * CHANNELS + channel] : outside;
                }
            }
            *output++ = 0;
        }
    }
}

void network_add(
    const uint8_t *a, const uint8_t *b, size_t count, const float scales[2], float offset, uint8_t *output) {
    for (size_t index = 0; index < count; index += LANES) {
        float16 first = __builtin_convertvector(LOAD(bytes16, a + index), float16) * scales[0];
        float16 second = __builtin_convertvector(LOAD(bytes16, b + index), float16) * scales[1];
        STORE(output + index, to_bytes(first + second + offset));
    }
}

void network_double(const uint8_t *input, network_shape shape, uint8_t *output) {
    const size_t stripe = shape.width * shape.channels;
    for (size_t y = 0; y < 2 * shape.height; y++) {
        size_t near = y / 2;
        size_t far = y % 2 == 0 ? (near > 0 ? near - 1 : 0) : (near + 1 < shape.height ? near + 1 : near);
        const uint8_t *rows[2] = {input + near * stripe, input + far * stripe};
        for (size_t channel = 0; channel < shape.channels; channel += LANES) {
#define MIXED(x) \
    (__builtin_convertvector(LOAD(bytes16, rows[0] + (x) * shape.channels + channel), ushort16) * 3 + \
     __builtin_convertvector(LOAD(bytes16, rows[1] + (x) * shape.channels + channel), ushort16))
            uint8_t *to = output + y * 2 * stripe + channel;
            ushort16 here = MIXED(0), before = here;
            for (size_t x = 0; x < shape.width; x++, to += 2 * shape.channels) {
                ushort16 next = x + 1 < shape.width ? MIXED(x + 1) : here;
                STORE(to, __builtin_convertvector((here * 3 + before + 8) >> 4, bytes16));
                STORE(to + shape.channels, __builtin_convertvector((here * 3 + next + 8) >> 4, bytes16));
                before = here;
                here = next;
            }
        }
    }
}

void network_average(const uint8_t *input, network_shape shape, float scale, float offset, uint8_t *output) {
    for (size_t channel = 0; channel < shape.channels; channel += LANES) {
        int16 sums = 0;
        for (size_t pixel = 0; pixel < shape.width * shape.height; pixel++)
            sums += __builtin_convertvector(LOAD(bytes16, input + pixel * shape.channels + channel), int16);
        STORE(output + channel, to_bytes(__builtin_convertvector(sums, float16) * scale + offset));
    }
}

void network_head(
    const uint8_t *input, network_shape shape, const int8_t *weights, float scale, float offset, float *output) {
    for (size_t y = 0; y < shape.height; y++) {
        for (size_t x = 0; x < shape.width; x++) {
            int16 sums = 0;
            for (size_t row = 0; row < 3; row++) {
                for (size_t column = 0; column < 3; column++) {
                    size_t source_y = y + row - 1, source_x = x + column - 1;
                    // Above and to the left, the differences wrap around.
                    if (source_y >= shape.height || source_x >= shape.width) continue;
                    bytes16 pixel = LOAD(bytes16, input + (source_y * shape.width + source_x) * LANES);
                    signed16 factors = LOAD(signed16, weights + (row * 3 + column) * LANES);
                    sums += __builtin_convertvector(pixel, int16) * __builtin_convertvector(factors, int16);
                }
            }
            *output++ = (float)__builtin_reduce_add(sums) * scale + offset;
        }
    }
}
