#if defined(__aarch64__)
#include <arm_neon.h>

#include "kernels.h"

#pragma clang attribute push(__attribute__((target("dotprod,i8mm"))), apply_to = function)

#include "vectors.h"

/// usdot adds four products of a byte and a signed byte to 32 bits; for volatile, see `add_products`.
INLINED int32x16 dot(int32x16 sums, uint8x64 pixels, uint8x64 weights) {
    int32x4_t a[4];
    uint8x16_t b[4];
    int8x16_t c[4];
    memcpy(a, &sums, sizeof a);
    memcpy(b, &pixels, sizeof b);
    memcpy(c, &weights, sizeof c);
    for (int quarter = 0; quarter < 4; quarter++) 
        __asm__ volatile("usdot %0.4s, %1.16b, %2.16b" : "+w"(a[quarter]) : "w"(b[quarter]), "w"(c[quarter]) : "memory");
    memcpy(&sums, a, sizeof sums);
    return sums;
}

#define FLIP 0
#define BY_LANE
// Its operands are the other way round.
#define DOT_LANE "sudot"
#define VECTOR_REGISTERS 4
// 32 registers of a quarter of a vector.
#define MOST_PANELS 1
#define ROWS(panels) 6
#define NAME "i8mm"
#define KERNELS network_i8mm
#include "loops.h"

#pragma clang attribute pop
#endif
