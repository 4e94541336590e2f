#define PORTABLE
#include "kernels.h"
#include "vectors.h"

INLINED int32x16 dot(int32x16 sums, uint8x64 pixels, uint8x64 weights) {
    uint32x16 words = LOAD(uint32x16, &pixels), factors = LOAD(uint32x16, &weights);
    for (int part = 0; part < DEPTH; part++) {
        int32x16 pixel = __builtin_convertvector(words >> 8 * part & 0xff, int32x16);
        // To the highest byte and back, which repeats the sign.
        int32x16 factor = __builtin_convertvector(factors << (24 - 8 * part), int32x16) >> 24;
        sums += pixel * factor;
    }
    return sums;
}

#define FLIP 0
#define VECTOR_REGISTERS 1
#define MOST_PANELS 1
#define ROWS(panels) 2
#define NAME "portable"
#define KERNELS network_portable
#include "loops.h"
