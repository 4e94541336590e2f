#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Converts a photo's colors into sRGB, using its embedded ICC profile.
typedef struct color_transform color_transform;

/// How the photo stores its colors, which the profile must match.
typedef enum color_kind {
    /// RGBA with equal red, green and blue.
    COLOR_GRAY,
    /// RGBA.
    COLOR_RGB,
    /// Four inks, 255 full.
    COLOR_CMYK,
    /// Four inks, 0 full: Adobe's convention.
    COLOR_CMYK_INVERTED,
} color_kind;

/// NULL if no conversion is needed or possible: no profile, a profile that equals sRGB within a step or two, is damaged
/// or implausible, or is for another kind of colors.
color_transform *color_transform_open(const uint8_t *profile, size_t count, color_kind kind);

/// Chromaticities of the white point and of the primaries.
typedef struct color_primaries {
    float white_x, white_y, red_x, red_y, green_x, green_y, blue_x, blue_y;
} color_primaries;

/// The chromaticities that a number of ITU-T H.273, 8.1, stands for; those of sRGB for an unknown one.
color_primaries color_primaries_of(int number);

/// For RGBA with these primaries and a tone curve: a power of `gamma`, or sRGB's if that is 0. NULL as above.
color_transform *color_transform_open_primaries(color_primaries primaries, double gamma);

/// Converts `count` pixels of four bytes each into RGBA in place; alpha stays, and becomes 255 for CMYK.
void color_transform_apply(const color_transform *transform, uint8_t *pixels, size_t count);

/// Accepts NULL.
void color_transform_close(color_transform *transform);
