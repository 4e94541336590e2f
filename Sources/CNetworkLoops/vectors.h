// Vector types of the compiler, the same for every processor.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Fused operations would give other last bits on processors that have them.
#pragma STDC FP_CONTRACT OFF

#define INLINED static inline __attribute__((always_inline))
// Vectors are passed to inlined functions only, so it does not matter how they would be passed to others.
#pragma clang diagnostic ignored "-Wpsabi"

enum { LANES = 16, DEPTH = 4 };

typedef uint8_t bytes16 __attribute__((ext_vector_type(LANES)));
typedef int8_t signed16 __attribute__((ext_vector_type(LANES)));
typedef uint8_t bytes64 __attribute__((ext_vector_type(LANES *DEPTH)));
typedef uint16_t ushort16 __attribute__((ext_vector_type(LANES)));
typedef int32_t int16 __attribute__((ext_vector_type(LANES)));
typedef float float16 __attribute__((ext_vector_type(LANES)));

#define LOAD(type, from) \
    ({ \
        type loaded; \
        memcpy(&loaded, from, sizeof loaded); \
        loaded; \
    })
#define STORE(to, value) \
    do { \
        __auto_type stored = (value); \
        memcpy(to, &stored, sizeof stored); \
    } while (0)

/// Clips numbers to 0...255 and rounds them to the nearest byte, half to even.
INLINED bytes16 to_bytes(float16 value) {
    value = __builtin_elementwise_min(__builtin_elementwise_max(value, (float16)0), (float16)255);
    // Floats from 2^23 on are whole numbers: the sum is rounded, and its lowest bits are the result.
    value += 0x1p23f;
    int16 bits;
    memcpy(&bits, &value, sizeof bits);
    return __builtin_convertvector(bits, bytes16);
}
