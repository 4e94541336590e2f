#include "ycc_colors.h"

// Fused operations would give other last bits on processors that have them.
#pragma STDC FP_CONTRACT OFF

enum { YCGCO = 8 };

static uint8_t rounded(float value) { return value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)(value + 0.5f); }

/// The weights of red and blue in luma.
static void weights(int matrix, float *red, float *blue) {
    switch (matrix) {
    case 1: *red = 0.2126f, *blue = 0.0722f; break;
    case 4: *red = 0.30f, *blue = 0.11f; break;
    case 7: *red = 0.212f, *blue = 0.087f; break;
    case 9:
    case 10: *red = 0.2627f, *blue = 0.0593f; break;
    default: *red = 0.299f, *blue = 0.114f;
    }
}

void ycc_to_rgb(uint8_t *pixels, size_t count, int matrix, bool is_full_range) {
    float red_weight, blue_weight;
    weights(matrix, &red_weight, &blue_weight);
    float black = is_full_range ? 0 : 16;
    float luma_scale = is_full_range ? 1 : 255.0f / 219, chroma_scale = is_full_range ? 1 : 255.0f / 224;
    for (size_t index = 0; index < count; index++, pixels += 4) {
        float luma = (pixels[0] - black) * luma_scale;
        if (matrix == YCC_GRAY) {
            pixels[0] = pixels[1] = pixels[2] = rounded(luma);
            continue;
        }
        if (matrix == 0) {
            // The channels are green, blue and red.
            float blue = (pixels[1] - black) * luma_scale, red = (pixels[2] - black) * luma_scale;
            pixels[0] = rounded(red), pixels[1] = rounded(luma), pixels[2] = rounded(blue);
            continue;
        }
        if (matrix == YCGCO) {
            float green = (pixels[1] - 128) * chroma_scale, orange = (pixels[2] - 128) * chroma_scale;
            float rest = luma - green;
            pixels[0] = rounded(rest + orange), pixels[1] = rounded(luma + green), pixels[2] = rounded(rest - orange);
            continue;
        }
        float blue = luma + 2 * (1 - blue_weight) * (pixels[1] - 128) * chroma_scale;
        float red = luma + 2 * (1 - red_weight) * (pixels[2] - 128) * chroma_scale;
        float green = (luma - red_weight * red - blue_weight * blue) / (1 - red_weight - blue_weight);
        pixels[0] = rounded(red), pixels[1] = rounded(green), pixels[2] = rounded(blue);
    }
}
