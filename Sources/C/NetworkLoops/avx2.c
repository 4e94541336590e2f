#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "kernels.h"

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#include "vectors.h"

/// Multiplies bytes in 16 bits: their products in 8 bits (vpmaddubsw) would be clipped.
INLINED int32x16 dot(int32x16 sums, uint8x64 pixels, uint8x64 weights) {
    __m256i a[2], b[2], c[2];
    memcpy(a, &sums, sizeof a);
    memcpy(b, &pixels, sizeof b);
    memcpy(c, &weights, sizeof c);
    for (int half = 0; half < 2; half++) {
        __m256i even = _mm256_madd_epi16(
            _mm256_and_si256(b[half], _mm256_set1_epi16(0xff)), _mm256_srai_epi16(_mm256_slli_epi16(c[half], 8), 8));
        __m256i odd = _mm256_madd_epi16(_mm256_srli_epi16(b[half], 8), _mm256_srai_epi16(c[half], 8));
        a[half] = _mm256_add_epi32(a[half], _mm256_add_epi32(even, odd));
    }
    memcpy(&sums, a, sizeof sums);
    return sums;
}

#define FLIP 0
#define VECTOR_REGISTERS 2
// 16 registers of half a vector.
#define MOST_PANELS 1
#define ROWS(panels) 4
#define NAME "AVX2"
#define KERNELS network_avx2
#include "loops.h"

#pragma clang attribute pop
#endif
