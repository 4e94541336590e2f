// Inner loops over pixels. In Swift, the checks of indices and overflow would keep the compiler from using vector
// instructions. Callers check the sizes; nothing here allocates or keeps a pointer.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// The samples of one row of `count` RGBA pixels: red, green and blue times alpha, 0…255, and alpha, as four floats
/// each.
void raster_load_row(const uint8_t *pixels, size_t count, float *samples);

/// The inverse of `raster_load_row`, rounded and clipped. Pixels whose alpha rounds to 0 are left as they are.
void raster_store_row(const float *samples, size_t count, uint8_t *pixels);

/// For each output position in `from ..< to`, the sum of the `taps` samples of `line` from `firsts[position]` on, times
/// the position's `taps` weights. A sample is `channels` floats: 1 or 4.
void raster_mix_columns(
    const float *line, size_t channels, const intptr_t *firsts, const float *weights, size_t taps, size_t from,
    size_t to, float *out);

/// For each float in `from ..< to`, the sum over `taps` rows, times the rows' weights. `rows` is a ring of `row_count`
/// rows of `row_length` floats; the first row used is `first`, modulo `row_count`. Rows of weight 0 are not read.
void raster_mix_rows(
    const float *rows, size_t row_length, size_t row_count, size_t first, const float *weights, size_t taps,
    size_t from, size_t to, float *out);

/// Sets bit `x % 64` of word `x / 64` if `values[x]` is at least `level`, and clears it otherwise. Clears the last
/// word's bits beyond `count`.
void raster_compare_row(const float *values, size_t count, float level, uint64_t *words);

/// Rounds values within `margin` of 0 or 1, and sets bit 0 of the flags of each block of `block` values that has some
/// other than 1, bit 1 if it has some other than 0.
void raster_round_row(float *values, size_t count, float margin, size_t block, uint8_t *flags);

/// Adds to each block's four floats the mean of red, green and blue in 0…1 over its part of a row of RGBA pixels,
/// divided by `lines`. A block has at most 257 pixels; the fourth float is undefined.
void raster_add_block_means(const uint8_t *pixels, size_t count, size_t block, size_t lines, void *means);

/// Adds the luminance of each RGBA pixel on white (ITU-R BT.601), in 1/256 of a gray level, times `share`.
void raster_add_luminance(const uint8_t *pixels, size_t count, uint32_t share, uint32_t *sums);

/// Copies the color of each RGBA pixel whose opacity, 0…1, is not 0, with that as alpha; others become 0.
void raster_cut_row(const uint8_t *pixels, const float *opacities, size_t count, uint8_t *out);

/// The alpha of each RGBA pixel times `scale`, at most 1.
void raster_alpha_row(const uint8_t *pixels, size_t count, float scale, float *out);

/// The largest alpha of RGBA pixels.
uint8_t raster_peak_alpha(const uint8_t *pixels, size_t count);

/// Draws RGBA pixels on a color and makes `cover`, 0…1, their alpha; where that is 0, pixels become 0.
void raster_mount_row(uint8_t *pixels, const float *cover, size_t count, uint8_t red, uint8_t green, uint8_t blue);

/// The means over columns of `2 * radius + 1` values around each value of a plane; values beyond it are 0. `sums` is
/// memory for a row.
void raster_blur_columns(
    const float *plane, size_t width, size_t height, size_t radius, float *sums, float *out);

/// The same along rows.
void raster_blur_rows(const float *plane, size_t width, size_t height, size_t radius, float *out);

/// Draws RGBA pixels over black of the opacity `shade` × `opacity`, each 0…1. Opaque pixels are left as they are.
void raster_shade_row(uint8_t *pixels, const float *shade, size_t count, float opacity);

/// The values of a grid of blocks of pixels around a row of a photo: those of the grid's row above and below it,
/// interpolated for each column of the photo (`raster_expand_row`), one channel after the other, `stride` apart. The
/// row of the photo has `share` of the one below.
typedef struct raster_rows {
    const float *above;
    const float *below;
    size_t stride;
    float share;
} raster_rows;

/// Interpolates a row of a grid, `width` values of 4 or 8 channels, bilinearly between the centers of its blocks, at
/// the pixels `from ..< to`. A block is `block` pixels wide.
void raster_expand_row(
    const float *grid, size_t channels, size_t width, size_t block, size_t from, size_t to, size_t stride, float *out);

// The following work on the pixels `from ..< to` of a row, RGBA, and of a matte, 0…1.

/// Moves undecided values of the matte toward a linear function of the pixel's color, then makes them `steepness` times
/// as steep around 0.5. `fits` has the weights of red, green and blue (0…1), and the constant.
void raster_guide_row(
    float *matte, const uint8_t *pixels, size_t from, size_t to, raster_rows fits, float steepness);

/// Moves the matte by the first channel of `weights`, 0…1, toward the same function, made as steep.
void raster_clear_row(
    float *matte, const uint8_t *pixels, size_t from, size_t to, raster_rows fits, raster_rows weights,
    float steepness);

/// Moves undecided values of the matte toward the subject's fraction of the pixel's color. `colors` has the subject's
/// color times its weight, the weight, and the same for the background. Colors that differ by the square root of
/// `least_contrast` (channels 0…1) count half.
void raster_sharpen_row(
    float *matte, const uint8_t *pixels, size_t from, size_t to, raster_rows colors, float least_contrast);

/// Removes the background's part from pixels that are not all subject, by the matte or by the pixel's color.
void raster_uncover_row(
    uint8_t *pixels, const float *matte, size_t from, size_t to, raster_rows colors, float least_contrast);

/// The loops over the matte for one kind of processor. They all give the same results.
typedef struct raster_kernels {
    const char *name;
    typeof(raster_expand_row) *expand;
    typeof(raster_guide_row) *guide;
    typeof(raster_clear_row) *clear;
    typeof(raster_sharpen_row) *sharpen;
    typeof(raster_uncover_row) *uncover;
} raster_kernels;

/// Those that this processor can run, the fastest first, for tests; NULL from their number on.
const raster_kernels *raster_available_kernels(size_t index);
