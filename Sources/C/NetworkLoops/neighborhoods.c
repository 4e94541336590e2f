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
