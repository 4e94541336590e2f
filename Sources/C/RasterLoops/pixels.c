#include "CRasterLoops.h"
#include "vectors.h"

INLINED size_t add_means(
    const uint8_t *pixels, size_t count, size_t block, size_t lines, float *means) {
    float share = 1 / (float)(block * lines * 255);
    size_t x = 0;
    for (; x + block <= count; x += block) {
        half4 sum = 0;
        for (size_t index = 0; index < block; index++)
            sum += __builtin_convertvector(load_pixel(pixels + (x + index) * CHANNELS), half4);
        store4(means, load4(means) + __builtin_convertvector(sum, float4) * share);
        means += CHANNELS;
    }
    return x;
}

void raster_add_block_means(const uint8_t *pixels, size_t count, size_t block, size_t lines, void *means) {
    // The side of the blocks of a photo at the usual working size; known in advance, the loop needs no counter.
    size_t done = block == 3 ? add_means(pixels, count, 3, lines, means) : add_means(pixels, count, block, lines, means);
    if (done < count)
        add_means(pixels + done * CHANNELS, count - done, count - done, lines, (float *)means + done / block * CHANNELS);
}

INLINED uint32_t word_of(const uint8_t *pixel) {
    uint32_t word;
    memcpy(&word, pixel, sizeof word);
    return word;
}

void raster_add_luminance(const uint8_t *pixels, size_t count, uint32_t share, uint32_t *sums) {
    uint32_t common = UINT32_MAX;
    for (size_t x = 0; x < count; x++) common &= word_of(pixels + x * CHANNELS);
    if (common >> 24 == 255) {
        for (size_t x = 0; x < count; x++) {
            uint32_t pixel = word_of(pixels + x * CHANNELS);
            sums[x] += (77 * (pixel & 255) + 150 * (pixel >> 8 & 255) + 29 * (pixel >> 16 & 255)) * share;
        }
        return;
    }
    for (size_t x = 0; x < count; x++) {
        const uint8_t *pixel = pixels + x * CHANNELS;
        uint32_t luminance = 77u * pixel[0] + 150u * pixel[1] + 29u * pixel[2], alpha = pixel[3];
        sums[x] += (luminance * alpha + 255 * 256 * (255 - alpha)) / 255 * share;
    }
}

void raster_cut_row(const uint8_t *pixels, const float *opacities, size_t count, uint8_t *out) {
    for (size_t x = 0; x < count; x++) {
        uint32_t alpha = (uint32_t)(int32_t)(255 * opacities[x] + 0.5f);
        uint32_t pixel = (word_of(pixels + x * CHANNELS) & 0xffffff) | alpha << 24;
        pixel = opacities[x] > 0 ? pixel : 0;
        memcpy(out + x * CHANNELS, &pixel, sizeof pixel);
    }
}

void raster_alpha_row(const uint8_t *pixels, size_t count, float scale, float *out) {
    for (size_t x = 0; x < count; x++) {
        float value = (float)(int32_t)(word_of(pixels + x * CHANNELS) >> 24) * scale;
        out[x] = value < 1 ? value : 1;
    }
}

uint8_t raster_peak_alpha(const uint8_t *pixels, size_t count) {
    uint32_t peak = 0;
    for (size_t x = 0; x < count; x++) {
        uint32_t alpha = word_of(pixels + x * CHANNELS) >> 24;
        peak = alpha > peak ? alpha : peak;
    }
    return (uint8_t)peak;
}

void raster_mount_row(uint8_t *pixels, const float *cover, size_t count, uint8_t red, uint8_t green, uint8_t blue) {
    float4 sheet = {red, green, blue, 0};
    for (size_t x = 0; x < count; x++, pixels += CHANNELS) {
        byte4 pixel = load_pixel(pixels);
        if (!(cover[x] > 0)) {
            store_pixel(pixels, 0);
            continue;
        }
        if (pixel.w == 0) {
            pixel.xyz = (typeof(pixel.xyz)){red, green, blue};
        } else if (pixel.w < 255) {
            float opacity = (float)pixel.w / 255;
            pixel = to_bytes(__builtin_convertvector(pixel, float4) * opacity + sheet * (1 - opacity) + 0.5f);
        }
        pixel.w = (uint8_t)(cover[x] * 255 + 0.5f);
        store_pixel(pixels, pixel);
    }
}

void raster_shade_row(uint8_t *pixels, const float *shade, size_t count, float opacity) {
    for (size_t x = 0; x < count; x++, pixels += CHANNELS) {
        byte4 pixel = load_pixel(pixels);
        float cover = (float)pixel.w / 255;
        float alpha = cover + shade[x] * opacity * (1 - cover);
        if (pixel.w == 255 || !(alpha > 0)) continue;
        pixel = to_bytes(__builtin_convertvector(pixel, float4) * (cover / alpha) + 0.5f);
        pixel.w = (uint8_t)(alpha * 255 + 0.5f);
        store_pixel(pixels, pixel);
    }
}
