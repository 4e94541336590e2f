// Draws the tiles beside this file: what a test cannot write itself, as it takes a codec.
//   cc make-tiles.c $(pkg-config --cflags --libs libheif) && ./a.out
#include <libheif/heif.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 64 };

static void check(struct heif_error error) {
    if (error.code == heif_error_Ok) return;
    fprintf(stderr, "%s\n", error.message);
    exit(1);
}

/// Four quarters: red, green, blue and light gray; with alpha, the right half is half transparent.
static void write_tile(const char *name, enum heif_compression_format format, int has_alpha) {
    static const uint8_t colors[4][3] = {{200, 30, 30}, {30, 160, 40}, {40, 50, 190}, {220, 220, 220}};
    struct heif_image *image;
    check(heif_image_create(SIDE, SIDE, heif_colorspace_RGB,
        has_alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, &image));
    check(heif_image_add_plane(image, heif_channel_interleaved, SIDE, SIDE, 8));
    int stride, channels = has_alpha ? 4 : 3;
    uint8_t *pixels = heif_image_get_plane(image, heif_channel_interleaved, &stride);
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            uint8_t *pixel = pixels + y * stride + x * channels;
            for (int channel = 0; channel < 3; channel++)
                pixel[channel] = colors[y / (SIDE / 2) * 2 + x / (SIDE / 2)][channel];
            if (has_alpha) pixel[3] = x < SIDE / 2 ? 255 : 128;
        }
    }
    struct heif_context *context = heif_context_alloc();
    struct heif_encoder *encoder;
    check(heif_context_get_encoder_for_format(context, format, &encoder));
    check(heif_encoder_set_lossy_quality(encoder, 90));
    check(heif_context_encode_image(context, image, encoder, NULL, NULL));
    check(heif_context_write_to_file(context, name));
}

int main(void) {
    write_tile("tile.heic", heif_compression_HEVC, 0);
    write_tile("tile-alpha.heic", heif_compression_HEVC, 1);
    write_tile("tile.avif", heif_compression_AV1, 0);
}
