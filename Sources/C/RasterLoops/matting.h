// The loops of the matte, included by one file for each kind of processor. That file defines
//   KERNELS, NAME     the table and its name.
#include "vectors.h"

INLINED float clip(float value) {
    value = value > 0 ? value : 0;
    return value < 1 ? value : 1;
}

static void expand(
    const float *grid, size_t channels, size_t width, size_t block, size_t from, size_t to, size_t stride, float *out) {
    float scale = 1 / (float)block;
    // Four pixels at a time, of which the last ones may be beyond the end.
    for (size_t x = from; x < to; x += 4) {
        const float *left[4], *right[4];
        float share[4];
        for (size_t pixel = 0; pixel < 4; pixel++) {
            float place = ((float)(int32_t)(x + pixel) + 0.5f) * scale - 0.5f;
            place = place > 0 ? place : 0;
            size_t first = (size_t)(int32_t)place;
            first = first < width ? first : width - 1;
            share[pixel] = place - (float)(int32_t)first;
            left[pixel] = grid + first * channels;
            right[pixel] = grid + (first + 1 < width ? first + 1 : first) * channels;
        }
        size_t bytes = (to - x < 4 ? to - x : 4) * sizeof *out;
        for (size_t channel = 0; channel < channels; channel += 4) {
            float4 value[4];
            for (size_t pixel = 0; pixel < 4; pixel++) {
                float4 start = load4(left[pixel] + channel);
                value[pixel] = start + (load4(right[pixel] + channel) - start) * share[pixel];
            }
            float4 a = __builtin_shufflevector(value[0], value[1], 0, 4, 1, 5);
            float4 b = __builtin_shufflevector(value[2], value[3], 0, 4, 1, 5);
            float4 c = __builtin_shufflevector(value[0], value[1], 2, 6, 3, 7);
            float4 d = __builtin_shufflevector(value[2], value[3], 2, 6, 3, 7);
            float4 rows[4] = {
                __builtin_shufflevector(a, b, 0, 1, 4, 5), __builtin_shufflevector(a, b, 2, 3, 6, 7),
                __builtin_shufflevector(c, d, 0, 1, 4, 5), __builtin_shufflevector(c, d, 2, 3, 6, 7)};
            for (size_t row = 0; row < 4; row++) {
                float *to_row = out + (channel + row) * stride + x;
                if (bytes == sizeof rows[row])
                    store4(to_row, rows[row]);
                else
                    memcpy(to_row, &rows[row], bytes);
            }
        }
    }
}

/// The pixel at `x`: its bytes, and red, green and blue in 0…1.
#define PIXEL \
    uint32_t word; \
    memcpy(&word, pixels + CHANNELS * x, sizeof word); \
    float r = (float)(int32_t)(word & 255) * (1.0f / 255), g = (float)(int32_t)(word >> 8 & 255) * (1.0f / 255), \
          b = (float)(int32_t)(word >> 16 & 255) * (1.0f / 255)

/// The grid's value at `x`.
#define AT(rows, channel) \
    (rows.above[(channel) * rows.stride + x] + \
     (rows.below[(channel) * rows.stride + x] - rows.above[(channel) * rows.stride + x]) * rows.share)

#define FITTED(rows) (((AT(rows, 0) * r + AT(rows, 1) * g) + AT(rows, 2) * b) + AT(rows, 3))

static void guide(
    float *restrict matte, const uint8_t *restrict pixels, size_t from, size_t to, raster_rows fits,
    float steepness) {
    for (size_t x = from; x < to; x++) {
        PIXEL;
        float value = matte[x];
        float guided = value + (clip(FITTED(fits)) - value) * 4 * value * (1 - value);
        guided = clip((guided - 0.5f) * steepness + 0.5f);
        matte[x] = ((value > 0) & (value < 1)) ? guided : value;
    }
}

static void clear(
    float *restrict matte, const uint8_t *restrict pixels, size_t from, size_t to, raster_rows fits,
    raster_rows weights, float steepness) {
    for (size_t x = from; x < to; x++) {
        PIXEL;
        float value = matte[x];
        matte[x] = value + (clip((FITTED(fits) - 0.5f) * steepness + 0.5f) - value) * AT(weights, 0);
    }
}

/// Colors of less weight are unknown.
#define LEAST_WEIGHT 0.0001f

/// The colors of subject and background at `x`, whether both are known, the subject's fraction of the pixel's color,
/// and how well the mixture explains that color, each 0…1.
#define MIXTURE \
    float known = AT(colors, 3), other = AT(colors, 7); \
    float sr = AT(colors, 0) / known, sg = AT(colors, 1) / known, sb = AT(colors, 2) / known; \
    float br = AT(colors, 4) / other, bg = AT(colors, 5) / other, bb = AT(colors, 6) / other; \
    _Bool is_known = (known < other ? known : other) > LEAST_WEIGHT; \
    float er = sr - br, eg = sg - bg, eb = sb - bb, distance = (er * er + eg * eg) + eb * eb; \
    float dr = r - br, dg = g - bg, db = b - bb; \
    float share = clip(((dr * er + dg * eg) + db * eb) / (distance + 0x1p-23f)); \
    float mr = dr - er * share, mg = dg - eg * share, mb = db - eb * share; \
    float fit = 1 / (1 + ((mr * mr + mg * mg) + mb * mb) / (0.1f * distance + 0.001f)); \
    fit = fit * distance / (distance + least_contrast)

static void sharpen(
    float *restrict matte, const uint8_t *restrict pixels, size_t from, size_t to, raster_rows colors,
    float least_contrast) {
    for (size_t x = from; x < to; x++) {
        PIXEL;
        MIXTURE;
        float value = matte[x];
        float sharper = value + (share - value) * (4 * value * (1 - value) * fit);
        matte[x] = ((value > 0) & (value < 1) & is_known) ? sharper : value;
    }
}

/// A pixel's color without the background's part, as a byte.
#define OWN(color, subject, background) \
    (uint32_t)(int32_t)( \
        clip(subject + ((color - subject * opacity) - background * (1 - opacity)) * opacity) * 255 + 0.5f)

static void uncover(
    uint8_t *restrict pixels, const float *restrict matte, size_t from, size_t to, raster_rows colors,
    float least_contrast) {
    for (size_t x = from; x < to; x++) {
        PIXEL;
        MIXTURE;
        float value = matte[x];
        // A soft edge reaches farther in than a steep matte shows.
        float limit = 1 - (1 - share) * fit, opacity = limit < value ? limit : value;
        uint32_t own = (word & 0xff000000) | OWN(b, sb, bb) << 16 | OWN(g, sg, bg) << 8 | OWN(r, sr, br);
        own = ((value > 0) & is_known & (opacity < 1)) ? own : word;
        memcpy(pixels + CHANNELS * x, &own, sizeof own);
    }
}

const raster_kernels KERNELS = {NAME, expand, guide, clear, sharpen, uncover};
