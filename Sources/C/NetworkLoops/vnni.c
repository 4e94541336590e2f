#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "kernels.h"

#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"))), apply_to = function)

#define HAS_AVX512
#include "vectors.h"

/// vpdpbusd adds four products of a byte and a signed byte to 32 bits and, unlike vpdpbusds, does not clip (Intel's
/// Software Developer's Manual, volume 2).
INLINED int32x16 dot(int32x16 sums, uint8x64 pixels, uint8x64 weights) {
    __m512i a, b, c;
    memcpy(&a, &sums, sizeof a);
    memcpy(&b, &pixels, sizeof b);
    memcpy(&c, &weights, sizeof c);
    a = _mm512_dpbusd_epi32(a, b, c);
    memcpy(&sums, &a, sizeof sums);
    return sums;
}

#define FLIP 0
#define VECTOR_REGISTERS 1
// 32 registers.
#define MOST_PANELS 4
#define ROWS(panels) ((panels) == 4 ? 6 : (panels) == 3 ? 8 : (panels) == 2 ? 12 : 16)
#define NAME "AVX-512 VNNI"
#define KERNELS network_vnni
#include "loops.h"

#pragma clang attribute pop
#endif
