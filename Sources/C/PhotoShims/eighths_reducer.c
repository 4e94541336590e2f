#include "eighths_reducer.h"

#include <stdlib.h>
#include <string.h>

// Along one axis, lengths are counted in the parts of a pixel that are common to input and output: an input pixel is
// `eighths` parts long, and an output pixel 8.
enum { PARTS = 8, CHANNELS = 4, MOST_TAPS = 3, ROUNDING = PARTS * PARTS / 2 };

typedef uint8_t byte4 __attribute__((ext_vector_type(CHANNELS)));
// At most 255 × 8 × 8, and the rounding.
typedef uint16_t sum4 __attribute__((ext_vector_type(CHANNELS)));

static inline uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }
static inline uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }
static inline uint32_t divided_up(uint32_t parts, uint32_t length) { return (parts + length - 1) / length; }

bool eighths_reducer_takes(uint32_t eighths) { return eighths > 4 && eighths < 8; }

bool eighths_reducer_open(
    eighths_reducer *reducer, uint32_t eighths, photo_region region, uint32_t width, uint32_t height) {
    photo_region input = {.x = region.x * PARTS / eighths, .y = region.y * PARTS / eighths};
    input.width = smaller(divided_up((region.x + region.width) * PARTS, eighths), width) - input.x;
    input.height = smaller(divided_up((region.y + region.height) * PARTS, eighths), height) - input.y;
    *reducer = (eighths_reducer){.eighths = eighths, .region = region, .input = input};
    reducer->sums = calloc((size_t)input.width + MOST_TAPS, sizeof(sum4));
    return reducer->sums != NULL;
}

/// The mean at column `column` of a group of `eighths` output columns. The group covers 8 input columns from `first`
/// on, which is negative if the input begins within it.
__attribute__((always_inline)) static inline void reduce(
    const uint16_t *sums, intptr_t first, uint8_t *out, const uint32_t column, const uint32_t eighths) {
    const uint32_t start = column * PARTS, end = start + PARTS;
    sum4 total = ROUNDING;
    for (uint32_t tap = 0; tap < MOST_TAPS; tap++) {
        const uint32_t from = start / eighths + tap;
        if (from * eighths >= end) break;
        const uint32_t weight = smaller(end, (from + 1) * eighths) - larger(start, from * eighths);
        sum4 sum;
        memcpy(&sum, sums + (first + from) * CHANNELS, sizeof sum);
        total += sum * (uint16_t)weight;
    }
    byte4 mean = __builtin_convertvector(total / (PARTS * PARTS), byte4);
    memcpy(out, &mean, sizeof mean);
}

__attribute__((always_inline)) static inline void write_row(
    const uint16_t *restrict sums, photo_region region, uint32_t input_x, uint8_t *restrict out,
    const uint32_t eighths) {
    const uint32_t end = region.x + region.width;
    for (uint32_t x = region.x; x < end;) {
        // The region may begin within a group.
        const uint32_t group = x / eighths, column = x % eighths;
        const intptr_t first = (intptr_t)group * PARTS - (intptr_t)input_x;
        if (column == 0 && x + eighths <= end) {
#pragma unroll
            for (uint32_t each = 0; each < eighths; each++) reduce(sums, first, out + each * CHANNELS, each, eighths);
            x += eighths;
            out += eighths * CHANNELS;
        } else {
            reduce(sums, first, out, column, eighths);
            x++;
            out += CHANNELS;
        }
    }
}

static void finish_row(eighths_reducer *reducer, uint8_t *out) {
    uint16_t *end = reducer->sums + (size_t)reducer->input.width * CHANNELS;
    for (size_t index = 0; index < MOST_TAPS * CHANNELS; index++) end[index] = (end - CHANNELS)[index % CHANNELS];
    // The compiler knows the weights of each.
    switch (reducer->eighths) {
    case 5: write_row(reducer->sums, reducer->region, reducer->input.x, out, 5); break;
    case 6: write_row(reducer->sums, reducer->region, reducer->input.x, out, 6); break;
    case 7: write_row(reducer->sums, reducer->region, reducer->input.x, out, 7); break;
    }
}

void eighths_reducer_add(eighths_reducer *reducer, const uint8_t *row, uint32_t y, uint8_t *pixels) {
    const uint32_t eighths = reducer->eighths, input_y = reducer->input.y + y;
    const bool is_last = y + 1 == reducer->input.height;
    const uint32_t start = input_y * eighths, end = start + eighths;
    for (uint32_t out = larger(start / PARTS, reducer->region.y);
         out < reducer->region.y + reducer->region.height && out * PARTS < end; out++) {
        const uint32_t out_start = out * PARTS, out_end = out_start + PARTS;
        // The last row is repeated for outputs that reach beyond the border.
        const uint16_t weight = (uint16_t)((is_last ? out_end : smaller(end, out_end)) - larger(start, out_start));
        const size_t count = (size_t)reducer->input.width * CHANNELS;
        uint16_t *sums = reducer->sums;
        if (start <= out_start)
            for (size_t index = 0; index < count; index++) sums[index] = (uint16_t)(row[index] * weight);
        else
            for (size_t index = 0; index < count; index++) sums[index] += (uint16_t)(row[index] * weight);
        if (is_last || out_end <= end)
            finish_row(reducer, pixels + (size_t)(out - reducer->region.y) * reducer->region.width * CHANNELS);
    }
}

void eighths_reducer_close(eighths_reducer *reducer) {
    free(reducer->sums);
    reducer->sums = NULL;
}
