// Vector types of the compiler, the same for every processor.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The instructions of every arm64, except in the kernels that all others are compared with.
#if defined(__aarch64__) && !defined(PORTABLE)
#define HAS_NEON
#include <arm_neon.h>
#endif

// Fused operations would give other last bits on processors that have them.
#pragma STDC FP_CONTRACT OFF

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first byte of a word is its lowest");

#define INLINED static inline __attribute__((always_inline))
// Vectors are passed to inlined functions only, so it does not matter how they would be passed to others.
#pragma clang diagnostic ignored "-Wpsabi"

/// Vectors have 16 lanes; in products of bytes, each lane sums 4.
enum { LANES = 16, DEPTH = 4 };

typedef uint8_t uint8x16 __attribute__((ext_vector_type(LANES)));
typedef uint8_t uint8x64 __attribute__((ext_vector_type(LANES *DEPTH)));
typedef int8_t int8x16 __attribute__((ext_vector_type(LANES)));
typedef uint16_t uint16x16 __attribute__((ext_vector_type(LANES)));
typedef int32_t int32x8 __attribute__((ext_vector_type(LANES / 2)));
typedef int32_t int32x16 __attribute__((ext_vector_type(LANES)));
typedef uint32_t uint32x16 __attribute__((ext_vector_type(LANES)));
typedef float float32x16 __attribute__((ext_vector_type(LANES)));

/// Addresses need no alignment.
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

#ifdef HAS_AVX512
/// Rounds to integers of 32 bits, half to even. The callers guarantee that they fit.
INLINED __m512i to_words(float32x16 value) {
    __m512 numbers;
    memcpy(&numbers, &value, sizeof value);
    return _mm512_cvtps_epi32(numbers);
}
#endif

/// Clips numbers to 0...255 and rounds them to the nearest byte, half to even.
INLINED uint8x16 to_bytes(float32x16 value) {
#ifdef HAS_NEON
    // One instruction rounds, and those that narrow also clip.
    float32x4_t quarters[4];
    memcpy(quarters, &value, sizeof value);
    int16x8_t lower = vqmovn_high_s32(vqmovn_s32(vcvtnq_s32_f32(quarters[0])), vcvtnq_s32_f32(quarters[1]));
    int16x8_t upper = vqmovn_high_s32(vqmovn_s32(vcvtnq_s32_f32(quarters[2])), vcvtnq_s32_f32(quarters[3]));
    uint8x16_t bytes = vqmovun_high_s16(vqmovun_s16(lower), upper);
    return LOAD(uint8x16, &bytes);
#elif defined(HAS_AVX512)
    // vpmovusdb clips above 255.
    __m128i bytes = _mm512_cvtusepi32_epi8(_mm512_max_epi32(to_words(value), _mm512_setzero_si512()));
    return LOAD(uint8x16, &bytes);
#else
    value = __builtin_elementwise_min(__builtin_elementwise_max(value, (float32x16)0), (float32x16)255);
    // Floats from 2^23 on are whole numbers: this sum is rounded, and its lowest bits are the result.
    value += 0x1p23f;
    return __builtin_convertvector(LOAD(uint32x16, &value), uint8x16);
#endif
}

/// Scales sums as `network_rounding` describes.
INLINED uint8x16 to_scaled_bytes(int32x16 sums, float32x16 scales, float32x16 offsets) {
    return to_bytes(__builtin_convertvector(sums, float32x16) * scales + offsets);
}

/// A picture doubled with half-pixel centers takes 3/4 of each row or column from the nearest one of the input, `place`
/// / 2, and 1/4 from this one.
INLINED size_t farther(size_t place, size_t count) {
    size_t nearest = place / 2;
    if (place % 2 == 0) return nearest > 0 ? nearest - 1 : 0;
    return nearest + 1 < count ? nearest + 1 : nearest;
}
