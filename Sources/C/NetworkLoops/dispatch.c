#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

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
