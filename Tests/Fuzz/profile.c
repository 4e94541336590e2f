// libFuzzer's entry point for color profiles: the first byte selects the kind of colors, the rest is the profile.
#include <string.h>

#include "color_transform.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    if (count == 0) return 0;
    color_transform *colors = color_transform_open(bytes + 1, count - 1, (color_kind)(bytes[0] % 4));
    if (colors == NULL) return 0;
    uint8_t pixels[256 * 4];
    for (size_t index = 0; index < sizeof pixels; index++) pixels[index] = (uint8_t)(index * 37);
    color_transform_apply(colors, pixels, 256);
    color_transform_close(colors);
    return 0;
}
