#if defined(__x86_64__)
#include <immintrin.h>

#include "kernels.h"
#include "vectors.h"

/// As with AVX2, in quarters.
INLINED int32x16 dot(int32x16 sums, uint8x64 pixels, uint8x64 weights) {
    __m128i a[4], b[4], c[4];
    memcpy(a, &sums, sizeof a);
    memcpy(b, &pixels, sizeof b);
    memcpy(c, &weights, sizeof c);
    for (int quarter = 0; quarter < 4; quarter++) {
        __m128i even = _mm_madd_epi16(
            _mm_and_si128(b[quarter], _mm_set1_epi16(0xff)), _mm_srai_epi16(_mm_slli_epi16(c[quarter], 8), 8));
        __m128i odd = _mm_madd_epi16(_mm_srli_epi16(b[quarter], 8), _mm_srai_epi16(c[quarter], 8));
        a[quarter] = _mm_add_epi32(a[quarter], _mm_add_epi32(even, odd));
    }
    memcpy(&sums, a, sizeof sums);
    return sums;
}

#define FLIP 0
#define VECTOR_REGISTERS 4
// 16 registers of a quarter of a vector.
#define MOST_PANELS 1
#define ROWS(panels) 2
#define NAME "SSE2"
#define KERNELS network_sse2
#include "loops.h"
#endif
