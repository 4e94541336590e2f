#include <CLinuxShims.h>

#include "kernels.h"

const raster_kernels *raster_available_kernels(size_t index) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && index-- == 0) return &raster_avx2;
#endif
    return index == 0 ? &raster_portable : NULL;
}

static const raster_kernels *best(void) {
    linux_yield_if_due();
    return raster_available_kernels(0);
}

void raster_expand_row(
    const float *grid, size_t channels, size_t width, size_t block, size_t from, size_t to, size_t stride, float *out) {
    best()->expand(grid, channels, width, block, from, to, stride, out);
}

void raster_guide_row(
    float *matte, const uint8_t *pixels, size_t from, size_t to, raster_rows fits, float steepness) {
    best()->guide(matte, pixels, from, to, fits, steepness);
}

void raster_clear_row(
    float *matte, const uint8_t *pixels, size_t from, size_t to, raster_rows fits, raster_rows weights,
    float steepness) {
    best()->clear(matte, pixels, from, to, fits, weights, steepness);
}

void raster_sharpen_row(
    float *matte, const uint8_t *pixels, size_t from, size_t to, raster_rows colors, float least_contrast) {
    best()->sharpen(matte, pixels, from, to, colors, least_contrast);
}

void raster_uncover_row(
    uint8_t *pixels, const float *matte, size_t from, size_t to, raster_rows colors, float least_contrast) {
    best()->uncover(pixels, matte, from, to, colors, least_contrast);
}
