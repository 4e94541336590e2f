/* Bfloat16 numbers of neighboring channels, computed side by side in the processor's vectors. */
#include <stddef.h>
#include <stdint.h>

enum { LANES = 16, SIX = 0x40c0 /* 6.0 as bfloat16 */ };

#define INLINE static inline __attribute__((always_inline))

/* GCC's vector extension: the compiler splits these into the processor's vectors. */
typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4)));
typedef uint32_t words __attribute__((vector_size(4 * LANES), aligned(4)));
typedef uint16_t halves __attribute__((vector_size(2 * LANES), aligned(2)));
typedef int16_t signed_halves __attribute__((vector_size(2 * LANES), aligned(2)));

INLINE lanes widened(const uint16_t *from) {
    return (lanes)(__builtin_convertvector(*(const halves *)from, words) << 16);
}

/* Rounds to nearest, ties to even. A NaN may become an infinity. */
INLINE halves narrowed(lanes value) {
    words bits = (words)value;
    return __builtin_convertvector((bits + 0x7fff + ((bits >> 16) & 1)) >> 16, halves);
}

/* Bfloat16 numbers that are not negative are ordered like the integers of their bits; negative ones are negative. A NaN
 * becomes 0 or 6. */
INLINE halves clipped(halves value) {
    const signed_halves number = (signed_halves)value, six = (signed_halves){0} + SIX;
    const signed_halves floor = number & (number > 0), below = floor < six;
    return (halves)((floor & below) | (six & ~below));
}

/* The gradient passes a clip only where the value was not changed by it. */
INLINE halves passed(halves gradient, const uint16_t *value) {
    const signed_halves number = *(const signed_halves *)value;
    return gradient & (halves)((number > 0) & (number < (signed_halves){0} + SIX));
}

INLINE void clip(uint16_t *values, size_t count) {
    for (size_t i = 0; i < count; i += LANES) *(halves *)(values + i) = clipped(*(halves *)(values + i));
}
