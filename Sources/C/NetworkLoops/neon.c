#if defined(__aarch64__)
#include <arm_neon.h>

#include "kernels.h"
#include "vectors.h"

/// Of both halves of each lane.
typedef int32_t partial_sums __attribute__((ext_vector_type(2 * LANES)));
#define PAIRS

/// A quarter of them.
typedef struct quarter_sums {
    int32x4_t lower, upper;
} quarter_sums;

INLINED int32x16 total(partial_sums sums) {
    quarter_sums from[4];
    int32x4_t to[4];
    memcpy(from, &sums, sizeof from);
    for (int quarter = 0; quarter < 4; quarter++) to[quarter] = vpaddq_s32(from[quarter].lower, from[quarter].upper);
    return LOAD(int32x16, to);
}

INLINED partial_sums dot(partial_sums sums, uint8x64 pixels, uint8x64 weights) {
    quarter_sums a[4];
    int8x16_t b[4], c[4];
    memcpy(a, &sums, sizeof a);
    memcpy(b, &pixels, sizeof b);
    memcpy(c, &weights, sizeof c);
    for (int quarter = 0; quarter < 4; quarter++) {
        a[quarter].lower = vpadalq_s16(a[quarter].lower, vmull_s8(vget_low_s8(b[quarter]), vget_low_s8(c[quarter])));
        a[quarter].upper = vpadalq_s16(a[quarter].upper, vmull_high_s8(b[quarter], c[quarter]));
    }
    return LOAD(partial_sums, a);
}

/// Adds the products of two words of each lane. In 16 bits, the sum of two does not overflow, because weights are at
/// least -127. From intrinsics, the compiler would begin so many products, and load so many weights for them, that they
/// do not fit the registers.
INLINED void add_pair(
    quarter_sums *sums, int8x16_t pixels, int8x16_t weights, int8x16_t more_pixels, int8x16_t more_weights) {
    int16x8_t lower, upper;
    __asm__ volatile(
        "smull %[lower].8h, %[b].8b, %[c].8b\n\t"
        "smull2 %[upper].8h, %[b].16b, %[c].16b\n\t"
        "smlal %[lower].8h, %[d].8b, %[e].8b\n\t"
        "smlal2 %[upper].8h, %[d].16b, %[e].16b\n\t"
        "sadalp %[lower_sums].4s, %[lower].8h\n\t"
        "sadalp %[upper_sums].4s, %[upper].8h"
        : [lower_sums] "+w"(sums->lower), [upper_sums] "+w"(sums->upper), [lower] "=&w"(lower), [upper] "=&w"(upper)
        : [b] "w"(pixels), [c] "w"(weights), [d] "w"(more_pixels), [e] "w"(more_weights)
        : "memory");
}

INLINED partial_sums dot2(
    partial_sums sums, uint8x64 pixels, uint8x64 weights, uint8x64 more_pixels, uint8x64 more_weights) {
    quarter_sums a[4];
    int8x16_t b[4], c[4], d[4], e[4];
    memcpy(a, &sums, sizeof a);
    memcpy(b, &pixels, sizeof b);
    memcpy(c, &weights, sizeof c);
    memcpy(d, &more_pixels, sizeof d);
    memcpy(e, &more_weights, sizeof e);
    for (int quarter = 0; quarter < 4; quarter++) add_pair(&a[quarter], b[quarter], c[quarter], d[quarter], e[quarter]);
    return LOAD(partial_sums, a);
}

#define FLIP 0x80
#define BY_LANE
#define VECTOR_REGISTERS 4
// 32 registers of a quarter of a vector, of which the sums of a pixel take 8.
#define MOST_PANELS 1
#define ROWS(panels) 2
#define NAME "NEON"
#define KERNELS network_neon
#include "loops.h"
#endif
