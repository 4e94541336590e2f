// The kernels, included by one file for each kind of processor. That file defines
//   KERNELS, NAME     the table and its name,
//   dot(s, x, w)      a function that adds to each lane of s the sum of four products of bytes of x and signed bytes of w,
//   FLIP              the bits of x's bytes that it takes inverted: with the highest one, they are signed, less by 128,
//   VECTOR_REGISTERS  how many registers a vector of 64 bytes takes,
//   MOST_PANELS       how many panels of 16 outputs are multiplied at a time,
//   ROWS(panels)      with how many pixels, at most MOST_ROWS, so that the sums stay in registers,
//   HAS_AVX512        if it has those instructions,
//   BY_LANE           if a vector can be multiplied by one lane of another, with one panel,
//   DOT_LANE          the instruction that does this, if there is one, and
//   PAIRS             if two words of each lane cost less together: then also `partial_sums`, `total` and `dot2`.

enum { MOST_ROWS = 16, MOST_PIXELS = 2 };

#ifndef PAIRS
typedef int32x16 partial_sums;
INLINED int32x16 total(partial_sums sums) { return sums; }
INLINED partial_sums dot2(
    partial_sums sums, uint8x64 pixels, uint8x64 weights, uint8x64 more_pixels, uint8x64 more_weights) {
    return dot(dot(sums, pixels, weights), more_pixels, more_weights);
}
#endif

/// What sums begin with, so that they are 0 for bytes of 0.
INLINED partial_sums first_sums(const int8_t *weights, size_t count) {
    partial_sums sums = 0;
    for (size_t index = 0; FLIP != 0 && index < count; index += sizeof(uint8x64))
        sums = dot(sums, (uint8x64)FLIP, LOAD(uint8x64, weights + index));
    return -sums;
}

#ifdef BY_LANE
#include "by_lane.h"
/// Loads it from memory when it is used next: an instruction loads two registers, but copies only one.
#define LOAD_AGAIN(sums) __asm__("" : "+m"(sums))
#else
#define LOAD_AGAIN(sums)
#endif
#include "depthwise.h"
#include "multiply.h"
#include "pictures.h"
#include "probability.h"

const network_kernels KERNELS = {NAME, multiply, depthwise, colors, add, double_sides, average, head, probability};
