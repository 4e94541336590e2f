#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "kernels.h"

#pragma clang attribute push(__attribute__((target("avx2,avxvnni"))), apply_to = function)

#include "vectors.h"

/// vpdpbusd adds four products of a byte and a signed byte to 32 bits and, unlike vpdpbusds, does not clip (Intel's
/// Software Developer's Manual, volume 2).
INLINED int32x16 dot(int32x16 sums, uint8x64 pixels, uint8x64 weights) {
    __m256i a[2], b[2], c[2];
    memcpy(a, &sums, sizeof a);
    memcpy(b, &pixels, sizeof b);
    memcpy(c, &weights, sizeof c);
    for (int half = 0; half < 2; half++) a[half] = _mm256_dpbusd_avx_epi32(a[half], b[half], c[half]);
    memcpy(&sums, a, sizeof sums);
    return sums;
}

#define FLIP 0
#define VECTOR_REGISTERS 2
// 16 registers of half a vector.
#define MOST_PANELS 1
#define ROWS(panels) 6
#define NAME "AVX-VNNI"
#define KERNELS network_avxvnni
#include "loops.h"

#pragma clang attribute pop
#endif
