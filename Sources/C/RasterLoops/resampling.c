#include <CLinuxShims.h>

#include "CRasterLoops.h"
#include "vectors.h"

void raster_load_row(const uint8_t *pixels, size_t count, float *samples) {
    size_t x = 0;
    while (x < count) {
        byte16 four;
        if (x + CHANNELS <= count) {
            memcpy(&four, pixels + x * CHANNELS, sizeof four);
            if ((four.s3 & four.s7 & four.sb & four.sf) == 255) {
                // An opaque pixel's samples are its bytes.
                store16(samples + x * CHANNELS, __builtin_convertvector(four, float16));
                x += CHANNELS;
                continue;
            }
        }
        byte4 pixel = load_pixel(pixels + x * CHANNELS);
        float share = (float)pixel.w / 255;
        pixel.w = 255;
        store4(samples + x * CHANNELS, __builtin_convertvector(pixel, float4) * share);
        x++;
    }
}

void raster_store_row(const float *samples, size_t count, uint8_t *pixels) {
    for (size_t x = 0; x < count; x++) {
        float4 sample = load4(samples + x * CHANNELS);
        // Lanczos may overshoot on either side.
        float alpha = sample.w < 255 ? sample.w : 255;
        // It would round to 0, and dividing by it may overflow.
        if (!(alpha >= 0.5f)) continue;
        float4 straight = alpha == 255 ? sample : sample * (255 / alpha);
        straight.w = alpha;
        straight = straight > 0.0f ? straight : 0.0f;
        straight = straight < 255.0f ? straight : 255.0f;
        store_pixel(pixels + x * CHANNELS, to_bytes(straight + 0.5f));
    }
}

INLINED void mix_columns(
    const float *line, size_t channels, const intptr_t *firsts, const float *weights, size_t taps, size_t from,
    size_t to, float *out) {
    for (size_t x = from; x < to; x++) {
        const float *in = line + (size_t)firsts[x] * channels;
        const float *weight = weights + x * taps;
        if (channels == 1) {
            float sum = 0;
            for (size_t tap = 0; tap < taps; tap++) sum += in[tap] * weight[tap];
            out[x] = sum;
        } else {
            float4 sum = 0;
            for (size_t tap = 0; tap < taps; tap++) sum += load4(in + tap * CHANNELS) * weight[tap];
            store4(out + x * CHANNELS, sum);
        }
    }
}

INLINED void mix_samples(
    const float *line, size_t channels, const intptr_t *firsts, const float *weights, size_t taps, size_t from,
    size_t to, float *out) {
    // With a number known in advance, the innermost loop is unrolled. These are the usual ones: enlarging a mask takes
    // 2 taps; the network's input and the sticker, made from a photo at its working size, up to 6.
    switch (taps) {
    case 2: return mix_columns(line, channels, firsts, weights, 2, from, to, out);
    case 3: return mix_columns(line, channels, firsts, weights, 3, from, to, out);
    case 4: return mix_columns(line, channels, firsts, weights, 4, from, to, out);
    case 5: return mix_columns(line, channels, firsts, weights, 5, from, to, out);
    case 6: return mix_columns(line, channels, firsts, weights, 6, from, to, out);
    default: return mix_columns(line, channels, firsts, weights, taps, from, to, out);
    }
}

void raster_mix_columns(
    const float *line, size_t channels, const intptr_t *firsts, const float *weights, size_t taps, size_t from,
    size_t to, float *out) {
    linux_yield_if_due();
    if (channels == 1)
        mix_samples(line, 1, firsts, weights, taps, from, to, out);
    else
        mix_samples(line, CHANNELS, firsts, weights, taps, from, to, out);
}

void raster_mix_rows(
    const float *rows, size_t row_length, size_t row_count, size_t first, const float *weights, size_t taps,
    size_t from, size_t to, float *out) {
    linux_yield_if_due();
    size_t index = from;
    while (index < to) {
        size_t slot = first % row_count;
        if (index + LANES <= to) {
            float16 sum = 0;
            for (size_t tap = 0; tap < taps; tap++) {
                if (weights[tap] != 0) sum += load16(rows + slot * row_length + index) * weights[tap];
                slot = slot + 1 < row_count ? slot + 1 : 0;
            }
            store16(out + index, sum);
            index += LANES;
        } else {
            float sum = 0;
            for (size_t tap = 0; tap < taps; tap++) {
                if (weights[tap] != 0) sum += rows[slot * row_length + index] * weights[tap];
                slot = slot + 1 < row_count ? slot + 1 : 0;
            }
            out[index] = sum;
            index++;
        }
    }
}
