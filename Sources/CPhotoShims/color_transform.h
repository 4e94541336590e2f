#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Turns a photo's own colors into sRGB, as its embedded ICC profile says.
typedef struct color_transform color_transform;

/// What the profile is of: the way the photo stores its colors.
typedef enum color_kind {
    /// RGBA with equal red, green and blue.
    COLOR_GRAY,
    /// RGBA.
    COLOR_RGB,
    /// Four inks, 255 full.
    COLOR_CMYK,
    /// Four inks, 0 full: as Adobe writes them.
    COLOR_CMYK_INVERTED,
} color_kind;

/// NULL where nothing is to be done: no profile, one that is sRGB within a step or two, that is broken, makes no sense,
/// or is not of this kind of colors.
color_transform *color_transform_open(const uint8_t *profile, size_t count, color_kind kind);

/// Chromaticities of the white point and of the primaries.
typedef struct color_primaries {
    float white_x, white_y, red_x, red_y, green_x, green_y, blue_x, blue_y;
} color_primaries;

/// For RGBA with other primaries than sRGB's and its tone curve. NULL as above.
color_transform *color_transform_open_primaries(color_primaries primaries);

/// Turns `count` pixels of four bytes each into RGBA in place; alpha stays, that of CMYK becomes 255.
void color_transform_apply(const color_transform *transform, uint8_t *pixels, size_t count);

/// NULL is let pass.
void color_transform_close(color_transform *transform);
