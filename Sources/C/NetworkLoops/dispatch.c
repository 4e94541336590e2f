#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

#include <CLinuxShims.h>

#include "kernels.h"

const network_kernels *network_available_kernels(size_t index) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && index-- == 0)
        return &network_vnni;
    if (__builtin_cpu_supports("avxvnni") && index-- == 0) return &network_avxvnni;
    if (__builtin_cpu_supports("avx2") && index-- == 0) return &network_avx2;
    if (index-- == 0) return &network_sse2;
#elif defined(__aarch64__)
    if (getauxval(AT_HWCAP2) & HWCAP2_I8MM && index-- == 0) return &network_i8mm;
    if (getauxval(AT_HWCAP) & HWCAP_ASIMDDP && index-- == 0) return &network_dotprod;
    if (index-- == 0) return &network_neon;
#endif
    return index == 0 ? &network_portable : NULL;
}

// Each call is a step of a pass, most of them shorter than a millisecond.
static const network_kernels *best(void) {
    linux_yield_if_due();
    return network_available_kernels(0);
}

void network_multiply(
    const uint8_t *input, size_t pixels, size_t inputs, const int8_t *packed, size_t outputs, network_rounding rounding,
    uint8_t *output) {
    best()->multiply(input, pixels, inputs, packed, outputs, rounding, output);
}

void network_depthwise(
    const uint8_t *input, network_shape shape, size_t kernel, size_t stride, const int8_t *packed,
    network_rounding rounding, uint8_t *scratch, uint8_t *output) {
    best()->depthwise(input, shape, kernel, stride, packed, rounding, scratch, output);
}

void network_colors(const uint8_t *pixels, size_t count, uint8_t neutral, uint8_t *output) {
    best()->colors(pixels, count, neutral, output);
}

void network_add(
    const uint8_t *a, const uint8_t *b, size_t count, const float scales[2], float offset, uint8_t *output) {
    best()->add(a, b, count, scales, offset, output);
}

void network_double(const uint8_t *input, network_shape shape, uint8_t *output) {
    best()->double_sides(input, shape, output);
}

void network_average(const uint8_t *input, network_shape shape, float scale, float offset, uint8_t *output) {
    best()->average(input, shape, scale, offset, output);
}

void network_head(
    const uint8_t *input, network_shape shape, const int8_t *weights, float scale, float offset, float *output) {
    best()->head(input, shape, weights, scale, offset, output);
}

void network_probability(const float *input, size_t width, size_t height, float *output) {
    best()->probability(input, width, height, output);
}
