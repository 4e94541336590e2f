// libFuzzer's entry point for one decoder, which DECODE names: clang -DDECODE=photo_decode_png … (see run.sh).
#include <stdlib.h>

#include "CPhotoShims.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    // The settings come from the end, where every format ignores extra bytes, so corpus files stay ordinary files.
    uint8_t settings[6] = {0};
    for (size_t index = 0; index < sizeof settings && index < count; index++)
        settings[index] = bytes[count - 1 - index];
    photo_source source = {.bytes = bytes, .descriptor = -1, .count = count};
    photo_limits limits = {.max_pixels = 4000000, .max_side = 20000, .max_scans = 20, .max_memory = 32 << 20};
    // So little that the coefficients of a progressive JPEG are packed.
    if (settings[0] >= 128) limits.max_memory = 64 << 10;

    photo_result header = DECODE(source, limits, (photo_request){.working_side = 0});
    photo_request request = {.working_side = 1 + settings[0] % 128u};
    if (header.status == PHOTO_OK && settings[1] % 2 == 1) {
        photo_region *region = &request.region;
        region->x = header.photo_width * (uint64_t)settings[2] / 256;
        region->y = header.photo_height * (uint64_t)settings[3] / 256;
        region->width = 1 + (header.photo_width - region->x - 1) * (uint64_t)settings[4] / 255;
        region->height = 1 + (header.photo_height - region->y - 1) * (uint64_t)settings[5] / 255;
    }
    if (settings[1] & 2) request.thumbnail_side = 1 + settings[2] / 2u;
    if (settings[1] & 4) {
        request.needed = settings;
        request.needed_columns = 3;
        request.needed_rows = 2;
    }
    photo_result_free(&header);

    photo_result result = DECODE(source, limits, request);
    // All pixels must be readable.
    volatile uint8_t sum = 0;
    if (result.status == PHOTO_OK)
        for (size_t index = 0; index < (size_t)result.width * result.height * 4; index++) sum ^= result.pixels[index];
    if ((result.status == PHOTO_OK) != (result.pixels != NULL)) abort();
    photo_result_free(&result);
    return 0;
}
