#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Luma only; used in place of a matrix number of ITU-T H.273.
enum { YCC_GRAY = -1 };

/// Converts luma, blue and red difference, and alpha, four bytes per pixel, into RGBA in place. `matrix` is that of
/// ITU-T H.273, 8.3; an unknown one counts as BT.601.
void ycc_to_rgb(uint8_t *pixels, size_t count, int matrix, bool is_full_range);
