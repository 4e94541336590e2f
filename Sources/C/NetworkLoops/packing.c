#include "CNetworkLoops.h"
#include "vectors.h"

size_t network_padded(size_t channels) { return (channels + LANES - 1) / LANES * LANES; }

void network_pack(const int8_t *weights, size_t outputs, size_t inputs, int8_t *packed) {
    for (size_t panel = 0; panel < outputs; panel += LANES)
        for (size_t k = 0; k < inputs; k += DEPTH)
            for (size_t lane = 0; lane < LANES; lane++, packed += DEPTH)
                if (panel + lane < outputs)
                    memcpy(packed, weights + (panel + lane) * inputs + k, DEPTH);
                else
                    memset(packed, 0, DEPTH);
}

/// Words of four rows in each column; a fifth row has two words of four of its columns.
static size_t taps_of(size_t kernel) { return kernel > DEPTH ? kernel + 2 : kernel; }

size_t network_depthwise_size(size_t channels, size_t kernel) { return channels * taps_of(kernel) * DEPTH; }

void network_pack_depthwise(const int8_t *weights, size_t channels, size_t kernel, int8_t *packed) {
    for (size_t first = 0; first < channels; first += LANES)
        for (size_t tap = 0; tap < taps_of(kernel); tap++)
            for (size_t lane = 0; lane < LANES; lane++)
                for (size_t part = 0; part < DEPTH; part++) {
                    int is_fifth = tap >= kernel;
                    size_t y = is_fifth ? DEPTH : part, x = is_fifth ? tap - kernel + part : tap;
                    // Columns 0 to 3 and 1 to 4: of the second word, only the last one counts.
                    int is_new = tap <= kernel || part == DEPTH - 1;
                    *packed++ = y < kernel && is_new ? weights[(y * kernel + x) * channels + first + lane] : 0;
                }
}

size_t network_depthwise_scratch(size_t width) {
    enum { MOST_KERNEL = 5 };
    return (width + MOST_KERNEL - 1) * 2 * sizeof(uint8x64);
}
