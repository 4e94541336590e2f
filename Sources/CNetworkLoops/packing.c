#include "CNetworkLoops.h"
#include "vectors.h"

size_t network_padded(size_t channels) { return (channels + LANES - 1) / LANES * LANES; }

void network_pack(const int8_t *weights, size_t outputs, size_t inputs, int8_t *packed) {
    for (size_t panel = 0; panel < outputs; panel += LANES)
        for (size_t k = 0; k < inputs; k += DEPTH)
            for (size_t lane = 0; lane < LANES; lane++)
                for (size_t part = 0; part < DEPTH; part++)
                    *packed++ = panel + lane < outputs ? weights[(panel + lane) * inputs + k + part] : 0;
}

/// Per column of the kernel, words of four rows; rows beyond the kernel are 0.
static size_t words_of(size_t kernel) { return (kernel + DEPTH - 1) / DEPTH; }

size_t network_depthwise_size(size_t channels, size_t kernel) { return channels * kernel * words_of(kernel) * DEPTH; }

void network_pack_depthwise(const int8_t *weights, size_t channels, size_t kernel, int8_t *packed) {
    for (size_t first = 0; first < channels; first += LANES)
        for (size_t x = 0; x < kernel; x++)
            for (size_t word = 0; word < words_of(kernel); word++)
                for (size_t lane = 0; lane < LANES; lane++)
                    for (size_t part = 0; part < DEPTH; part++) {
                        size_t y = word * DEPTH + part;
                        *packed++ = y < kernel ? weights[(y * kernel + x) * channels + first + lane] : 0;
                    }
}

size_t network_depthwise_scratch(size_t width) {
    enum { MOST_KERNEL = 5 };
    return (width + MOST_KERNEL - 1) * words_of(MOST_KERNEL) * sizeof(uint8x64);
}
