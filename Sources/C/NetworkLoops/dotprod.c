#if defined(__aarch64__)
#include <arm_neon.h>

#include "kernels.h"

#pragma clang attribute push(__attribute__((target("dotprod"))), apply_to = function)

#include "vectors.h"

/// sdot adds four products of two signed bytes to 32 bits; for volatile, see `add_products`.
INLINED int32x16 dot(int32x16 sums, uint8x64 pixels, uint8x64 weights) {
    int32x4_t a[4];
    int8x16_t b[4], c[4];
    memcpy(a, &sums, sizeof a);
    memcpy(b, &pixels, sizeof b);
    memcpy(c, &weights, sizeof c);
    for (int quarter = 0; quarter < 4; quarter++) 
        __asm__ volatile("sdot %0.4s, %1.16b, %2.16b" : "+w"(a[quarter]) : "w"(b[quarter]), "w"(c[quarter]) : "memory");
    memcpy(&sums, a, sizeof sums);
    return sums;
}

#define FLIP 0x80
#define BY_LANE
#define DOT_LANE "sdot"
#define VECTOR_REGISTERS 4
// 32 registers of a quarter of a vector.
#define MOST_PANELS 1
#define ROWS(panels) 6
#define NAME "dotprod"
#define KERNELS network_dotprod
#include "loops.h"

#pragma clang attribute pop
#endif
