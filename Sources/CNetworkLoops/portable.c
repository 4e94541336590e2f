#if !defined(__x86_64__)
#include "kernels.h"
#include "vectors.h"

INLINED int16 dot(int16 sums, bytes64 pixels, bytes64 weights) {
    int16 words, factors;
    memcpy(&words, &pixels, sizeof words);
    memcpy(&factors, &weights, sizeof factors);
    for (int part = 0; part < DEPTH; part++)
        sums += (words >> 8 * part & 0xff) * (factors << (24 - 8 * part) >> 24);
    return sums;
}

#define MOST_PANELS 1
#define ROWS(panels) 2
#define NAME "portable"
#define KERNELS network_portable
#include "loops.h"
#endif
