#include <string.h>

#include "CPhotoShims.h"

enum { CHANNELS = 4, PAETH = 4 };

// 16-bit differences without a branch, so that the compiler vectorizes the loop.
static void filter_row(const uint8_t *restrict row, const uint8_t *restrict above, size_t length, uint8_t *restrict out) {
    for (size_t i = 0; i < CHANNELS; i++) out[i] = (uint8_t)(row[i] - above[i]);
    for (size_t i = CHANNELS; i < length; i++) {
        int16_t left = row[i - CHANNELS], up = above[i], corner = above[i - CHANNELS];
        int16_t from_left = up - corner, from_up = left - corner, from_corner = from_left + from_up;
        from_left = from_left < 0 ? -from_left : from_left;
        from_up = from_up < 0 ? -from_up : from_up;
        from_corner = from_corner < 0 ? -from_corner : from_corner;
        int16_t nearest = from_up <= from_corner ? up : corner;
        nearest = from_left <= from_up && from_left <= from_corner ? left : nearest;
        out[i] = (uint8_t)(row[i] - nearest);
    }
}

void photo_png_filter(const uint8_t *pixels, size_t width, size_t height, uint8_t *out) {
    size_t length = width * CHANNELS;
    for (size_t y = 0; y < height; y++, out += 1 + length) {
        const uint8_t *row = pixels + y * length;
        if (y == 0) {
            // Up of the first row is 0: Paeth is Sub there (PNG 9.2).
            out[0] = 1;
            memcpy(out + 1, row, CHANNELS);
            for (size_t i = CHANNELS; i < length; i++) out[1 + i] = (uint8_t)(row[i] - row[i - CHANNELS]);
            continue;
        }
        out[0] = PAETH;
        filter_row(row, row - length, length, out + 1);
    }
}
