// Vector types of the compiler, the same for every processor.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Fused operations would give other last bits on processors that have them.
#pragma STDC FP_CONTRACT OFF

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a pixel's alpha is the highest byte of its word");

#define INLINED static inline __attribute__((always_inline))
// Vectors are passed to inlined functions only, so it does not matter how they would be passed to others.
#pragma clang diagnostic ignored "-Wpsabi"

enum { CHANNELS = 4, LANES = 16 };

typedef uint8_t byte4 __attribute__((ext_vector_type(4)));
typedef uint8_t byte16 __attribute__((ext_vector_type(16)));
typedef uint16_t half4 __attribute__((ext_vector_type(4)));
typedef int32_t int4 __attribute__((ext_vector_type(4)));
typedef float float4 __attribute__((ext_vector_type(4)));
typedef float float16 __attribute__((ext_vector_type(16)));
typedef _Bool bool16 __attribute__((ext_vector_type(16)));

INLINED float4 load4(const float *from) {
    float4 value;
    memcpy(&value, from, sizeof value);
    return value;
}

INLINED float16 load16(const float *from) {
    float16 value;
    memcpy(&value, from, sizeof value);
    return value;
}

INLINED byte4 load_pixel(const uint8_t *from) {
    byte4 value;
    memcpy(&value, from, sizeof value);
    return value;
}

INLINED void store4(float *to, float4 value) { memcpy(to, &value, sizeof value); }
INLINED void store16(float *to, float16 value) { memcpy(to, &value, sizeof value); }
INLINED void store_pixel(uint8_t *to, byte4 value) { memcpy(to, &value, sizeof value); }

/// Truncates numbers of 0 up to 256 to bytes.
INLINED byte4 to_bytes(float4 value) {
    return __builtin_convertvector(__builtin_convertvector(value, int4), byte4);
}

/// A bit for each comparison that holds, the first one lowest.
INLINED uint16_t bits_of(bool16 comparison) {
    uint16_t bits;
    memcpy(&bits, &comparison, sizeof bits);
    return bits;
}

#define AT_LEAST(values, level) bits_of(__builtin_convertvector((values) >= (level), bool16))
#define AT_MOST(values, level) bits_of(__builtin_convertvector((values) <= (level), bool16))
