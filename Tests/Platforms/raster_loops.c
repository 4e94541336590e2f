#include "CRasterLoops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

enum { CHANNELS = 4, MOST = 200 };

/// RGBA pixels, about half of them opaque, and a quarter of them transparent.
static uint8_t *random_pixels(size_t count) {
    uint8_t *pixels = random_bytes(count * CHANNELS);
    // Runs of opaque pixels have their own code.
    for (size_t index = 0; index < count;) {
        size_t kind = random_below(4);
        for (size_t left = 1 + random_below(9); left > 0 && index < count; left--, index++)
            if (kind > 0) pixels[index * CHANNELS + 3] = kind == 1 ? 0 : 255;
    }
    return pixels;
}

static size_t random_count(void) { return 1 + random_below(MOST); }

/// Numbers from 0 to 1, of which half are 0 or 1.
static float *random_shares(size_t count) {
    float *shares = random_floats(count, -.5f, 1.5f);
    for (size_t index = 0; index < count; index++)
        shares[index] = shares[index] < 0 ? 0 : shares[index] > 1 ? 1 : shares[index];
    return shares;
}

static void load_row(void) {
    size_t count = random_count();
    const uint8_t *pixels = random_pixels(count);
    float *samples = random_floats(count * CHANNELS, 0, 255);
    raster_load_row(pixels, count, samples);
    add_to_hash(samples, count * CHANNELS * sizeof(float));
}

static void store_row(void) {
    size_t count = random_count();
    const float *samples = random_floats(count * CHANNELS, -20, 300);
    uint8_t *pixels = random_bytes(count * CHANNELS);
    raster_store_row(samples, count, pixels);
    add_to_hash(pixels, count * CHANNELS);
}

static void mix_columns(void) {
    size_t channels = random_below(2) == 0 ? 1 : CHANNELS, taps = 1 + random_below(9), outputs = random_count();
    const float *line = random_floats((outputs + taps) * channels, -20, 300);
    const float *weights = random_floats(outputs * taps, -.2f, 1);
    intptr_t *firsts = random_bytes(outputs * sizeof *firsts);
    for (size_t index = 0; index < outputs; index++) firsts[index] = (intptr_t)random_below(outputs);
    float *out = random_floats(outputs * channels, 0, 1);
    size_t from = random_below(outputs);
    raster_mix_columns(line, channels, firsts, weights, taps, from, outputs, out);
    add_to_hash(out, outputs * channels * sizeof(float));
}

static void mix_rows(void) {
    size_t length = random_count(), rows = 1 + random_below(9), taps = 1 + random_below(rows);
    const float *ring = random_floats(rows * length, -20, 300);
    const float *weights = random_floats(taps, -.2f, 1);
    float *out = random_floats(length, 0, 1);
    raster_mix_rows(ring, length, rows, random_below(100), weights, taps, random_below(length), length, out);
    add_to_hash(out, length * sizeof(float));
}

static void compare_row(void) {
    size_t count = random_count(), words = (count + 63) / 64;
    const float *values = random_shares(count);
    uint64_t *bits = random_bytes(words * sizeof *bits);
    raster_compare_row(values, count, random_float(0, 1), bits);
    add_to_hash(bits, words * sizeof *bits);
}

static void round_row(void) {
    size_t count = random_count(), block = 1 + random_below(40);
    float *values = random_shares(count);
    uint8_t *flags = random_bytes(count);
    raster_round_row(values, count, random_float(0, .3f), block, flags);
    add_to_hash(values, count * sizeof(float));
    add_to_hash(flags, count);
}

static void add_block_means(void) {
    size_t count = random_count(), block = 1 + random_below(9), blocks = (count + block - 1) / block;
    const uint8_t *pixels = random_pixels(count);
    float *means = random_floats(blocks * CHANNELS, 0, 1);
    raster_add_block_means(pixels, count, block, 1 + random_below(9), means);
    // The fourth number is undefined.
    for (size_t index = 0; index < blocks; index++) add_to_hash(means + index * CHANNELS, 3 * sizeof(float));
}

static void add_luminance(void) {
    size_t count = random_count();
    uint8_t *pixels = random_pixels(count);
    // A row without transparent pixels has its own code.
    for (size_t index = 0; random_below(2) == 0 && index < count; index++) pixels[index * CHANNELS + 3] = 255;
    uint32_t *sums = random_bytes(count * sizeof *sums);
    raster_add_luminance(pixels, count, (uint32_t)random_below(100), sums);
    add_to_hash(sums, count * sizeof *sums);
}

static void cut_row(void) {
    size_t count = random_count();
    const uint8_t *pixels = random_pixels(count);
    const float *opacities = random_shares(count);
    uint8_t *out = random_bytes(count * CHANNELS);
    raster_cut_row(pixels, opacities, count, out);
    add_to_hash(out, count * CHANNELS);
}

static void alpha_row(void) {
    size_t count = random_count();
    const uint8_t *pixels = random_pixels(count);
    float *out = random_floats(count, 0, 1);
    raster_alpha_row(pixels, count, random_float(0, .01f), out);
    add_to_hash(out, count * sizeof(float));
}

static void peak_alpha(void) {
    size_t count = random_below(20);
    const uint8_t *pixels = random_bytes(count * CHANNELS);
    uint8_t peak = raster_peak_alpha(pixels, count);
    add_to_hash(&peak, 1);
}

static void mount_row(void) {
    size_t count = random_count();
    uint8_t *pixels = random_pixels(count), *color = random_bytes(3);
    const float *cover = random_shares(count);
    raster_mount_row(pixels, cover, count, color[0], color[1], color[2]);
    add_to_hash(pixels, count * CHANNELS);
}

static void blur_columns(void) {
    size_t width = random_count(), height = random_below(20) + 1;
    float *out = random_floats(width * height, 0, 1);
    raster_blur_columns(
        random_floats(width * height, 0, 1), width, height, random_below(12), random_floats(width, 0, 1), out);
    add_to_hash(out, width * height * sizeof(float));
}

static void blur_rows(void) {
    size_t width = random_count(), height = random_below(20) + 1;
    float *out = random_floats(width * height, 0, 1);
    raster_blur_rows(random_floats(width * height, 0, 1), width, height, random_below(12), out);
    add_to_hash(out, width * height * sizeof(float));
}

static void shade_row(void) {
    size_t count = random_count();
    uint8_t *pixels = random_pixels(count);
    raster_shade_row(pixels, random_shares(count), count, random_float(0, 1));
    add_to_hash(pixels, count * CHANNELS);
}

/// A grid's values around a row of `count` pixels; every fourth channel is a weight, 0…1, and often 0.
static raster_rows random_rows(size_t count, size_t channels) {
    float *rows[2];
    for (size_t row = 0; row < 2; row++) {
        rows[row] = random_floats(count * channels, -.5f, 1);
        for (size_t channel = 3; channel < channels; channel += 4)
            memcpy(rows[row] + channel * count, random_shares(count), count * sizeof(float));
    }
    return (raster_rows){rows[0], rows[1], count, random_float(0, 1)};
}

/// Adds a result of the first kernels to the hash, and ends if another's is not the same.
static void add_result(const raster_kernels *kernels, const void *result, const void *expected, size_t size) {
    if (kernels == raster_available_kernels(0)) add_to_hash(result, size);
    if (memcmp(result, expected, size) == 0) return;
    fprintf(stderr, "the kernels %s differ from %s\n", kernels->name, raster_available_kernels(0)->name);
    exit(1);
}

/// Runs CALL, which writes `count` elements at `out`, with all kernels, each time on the same values.
#define WITH_KERNELS(count, out, CALL) \
    do { \
        size_t size = (count) * sizeof *out; \
        void *before = random_bytes(size), *expected = random_bytes(size); \
        memcpy(before, out, size); \
        const raster_kernels *kernels; \
        for (size_t index = 0; (kernels = raster_available_kernels(index)) != NULL; index++) { \
            memcpy(out, before, size); \
            kernels->CALL; \
            if (index == 0) memcpy(expected, out, size); \
            add_result(kernels, out, expected, size); \
        } \
    } while (0)

static void expand(void) {
    size_t count = random_count(), channels = 4 + 4 * random_below(2), block = 1 + random_below(9);
    size_t width = (count + block - 1) / block, from = random_below(count);
    const float *grid = random_floats(width * channels, -1, 1);
    float *out = random_floats(count * channels, 0, 1);
    WITH_KERNELS(count * channels, out, expand(grid, channels, width, block, from, count, count, out));
}

static void guide(void) {
    size_t count = random_count(), from = random_below(count);
    const uint8_t *pixels = random_pixels(count);
    float *matte = random_shares(count), steepness = random_float(1, 4);
    raster_rows fits = random_rows(count, 4);
    WITH_KERNELS(count, matte, guide(matte, pixels, from, count, fits, steepness));
}

static void clear(void) {
    size_t count = random_count(), from = random_below(count);
    const uint8_t *pixels = random_pixels(count);
    float *matte = random_shares(count), steepness = random_float(1, 4);
    raster_rows fits = random_rows(count, 4), weights = random_rows(count, 4);
    WITH_KERNELS(count, matte, clear(matte, pixels, from, count, fits, weights, steepness));
}

static void sharpen(void) {
    size_t count = random_count(), from = random_below(count);
    const uint8_t *pixels = random_pixels(count);
    float *matte = random_shares(count), contrast = random_float(.01f, .3f);
    raster_rows colors = random_rows(count, 8);
    WITH_KERNELS(count, matte, sharpen(matte, pixels, from, count, colors, contrast));
}

static void uncover(void) {
    size_t count = random_count(), from = random_below(count);
    uint8_t *pixels = random_pixels(count);
    const float *matte = random_shares(count);
    float contrast = random_float(.01f, .3f);
    raster_rows colors = random_rows(count, 8);
    WITH_KERNELS(count * CHANNELS, pixels, uncover(pixels, matte, from, count, colors, contrast));
}

const loop raster_loops[] = {
    {"load_row", load_row}, {"store_row", store_row}, {"mix_columns", mix_columns}, {"mix_rows", mix_rows},
    {"compare_row", compare_row}, {"round_row", round_row}, {"add_block_means", add_block_means},
    {"add_luminance", add_luminance}, {"cut_row", cut_row}, {"alpha_row", alpha_row}, {"peak_alpha", peak_alpha},
    {"mount_row", mount_row}, {"blur_columns", blur_columns}, {"blur_row", blur_rows}, {"shade_row", shade_row},
    {"expand", expand}, {"guide", guide}, {"clear", clear}, {"sharpen", sharpen}, {"uncover", uncover},
    {NULL, NULL},
};
