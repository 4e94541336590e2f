#include "kernels.h"
#include "vectors.h"

const network_kernels *network_available_kernels(size_t index) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && index-- == 0)
        return &network_vnni;
    if (__builtin_cpu_supports("avxvnni") && index-- == 0) return &network_avxvnni;
    if (__builtin_cpu_supports("avx2") && index-- == 0) return &network_avx2;
    return index == 0 ? &network_sse2 : NULL;
#else
    return index == 0 ? &network_portable : NULL;
#endif
}

void network_multiply(
    const uint8_t *input, size_t pixels, size_t inputs, const int8_t *packed, size_t outputs, network_rounding rounding,
    uint8_t *output) {
    network_available_kernels(0)->multiply(input, pixels, inputs, packed, outputs, rounding, output);
}

void network_depthwise(
    const uint8_t *input, network_shape shape, size_t kernel, size_t stride, const int8_t *packed,
    network_rounding rounding, uint8_t *scratch, uint8_t *output) {
    network_available_kernels(0)->depthwise(input, shape, kernel, stride, packed, rounding, scratch, output);
}

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
    enum { LARGEST_EDGE = 2, MOST_WORDS = 2 };
    return (width + 2 * LARGEST_EDGE) * MOST_WORDS * sizeof(bytes64);
}
