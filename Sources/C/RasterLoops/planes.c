#include "CRasterLoops.h"
#include "vectors.h"

#include <string.h>

void raster_compare_row(const float *values, size_t count, float level, uint64_t *words) {
    for (size_t start = 0; start < count; start += 64) {
        size_t end = count - start < 64 ? count : start + 64;
        uint64_t bits = 0;
        size_t x = start;
        for (; x + LANES <= end; x += LANES) bits |= (uint64_t)AT_LEAST(load16(values + x), level) << (x - start);
        for (; x < end; x++) bits |= (uint64_t)(values[x] >= level) << (x - start);
        *words++ = bits;
    }
}

enum { OUTSIDE = 1, INSIDE = 2, ALL = 0xffff };

void raster_round_row(float *values, size_t count, float margin, size_t block, uint8_t *flags) {
    size_t x = 0;
    while (x < count) {
        size_t first = x;
        uint8_t state;
        if (values[x] <= margin) {
            while (x + LANES <= count && AT_MOST(load16(values + x), margin) == ALL) {
                store16(values + x, 0);
                x += LANES;
            }
            while (x < count && values[x] <= margin) values[x++] = 0;
            state = OUTSIDE;
        } else if (values[x] >= 1 - margin) {
            while (x + LANES <= count && AT_LEAST(load16(values + x), 1 - margin) == ALL) {
                store16(values + x, 1);
                x += LANES;
            }
            while (x < count && values[x] >= 1 - margin) values[x++] = 1;
            state = INSIDE;
        } else {
            x++;
            state = OUTSIDE | INSIDE;
        }
        for (size_t index = first / block; index <= (x - 1) / block; index++) flags[index] |= state;
    }
}

void raster_blur_columns(
    const float *plane, size_t width, size_t height, size_t radius, float *sums, float *out) {
    float share = 1 / (float)(2 * radius + 1);
    memset(sums, 0, width * sizeof *sums);
    for (size_t y = 0; y < radius && y < height; y++) {
        for (size_t x = 0; x < width; x++) sums[x] += plane[y * width + x];
    }
    for (size_t y = 0; y < height; y++, out += width) {
        if (y + radius < height) {
            const float *entering = plane + (y + radius) * width;
            for (size_t x = 0; x < width; x++) sums[x] += entering[x];
        }
        if (y > radius) {
            const float *leaving = plane + (y - radius - 1) * width;
            for (size_t x = 0; x < width; x++) sums[x] -= leaving[x];
        }
        for (size_t x = 0; x < width; x++) out[x] = sums[x] * share;
    }
}

enum { BLURRED_ROWS = 4 };

INLINED void blur_rows(
    const float *restrict plane, size_t width, size_t rows, size_t radius, float *restrict out) {
    float share = 1 / (float)(2 * radius + 1), sums[BLURRED_ROWS] = {0};
    for (size_t x = 0; x < radius && x < width; x++) {
        for (size_t row = 0; row < rows; row++) sums[row] += plane[row * width + x];
    }
    for (size_t x = 0; x < width; x++) {
        for (size_t row = 0; row < rows; row++) {
            if (x + radius < width) sums[row] += plane[row * width + x + radius];
            if (x > radius) sums[row] -= plane[row * width + x - radius - 1];
            out[row * width + x] = sums[row] * share;
        }
    }
}

void raster_blur_rows(const float *plane, size_t width, size_t height, size_t radius, float *out) {
    size_t y = 0;
    // Several at once, because each sum waits for the one before it.
    for (; y + BLURRED_ROWS <= height; y += BLURRED_ROWS)
        blur_rows(plane + y * width, width, BLURRED_ROWS, radius, out + y * width);
    for (; y < height; y++) blur_rows(plane + y * width, width, 1, radius, out + y * width);
}
