#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "CPhotoShims.h"

/// Reduces an image of four channels without alpha to five, six or seven eighths of its size while its rows arrive:
/// every output pixel is the mean of the input it covers. libjpeg's own decoding at these sizes has no vector code, and
/// takes longer than decoding at full size and this together. Averages the stored values directly, as libjpeg's does.
typedef struct eighths_reducer {
    uint32_t eighths;
    /// The output, in pixels of the whole reduced image.
    photo_region region;
    /// The input for it, in pixels of the whole image.
    photo_region input;
    /// For each byte of an input row, the weighted sum over the rows of the current output row. At the end, the last
    /// column is repeated for outputs that reach beyond the border.
    uint16_t *sums;
} eighths_reducer;

/// Whether a reducer, not libjpeg, reduces to `eighths`.
bool eighths_reducer_takes(uint32_t eighths);
/// Prepares for `region` of the reduction of an image of `width` × `height` pixels. Returns false if out of memory.
bool eighths_reducer_open(
    eighths_reducer *reducer, uint32_t eighths, photo_region region, uint32_t width, uint32_t height);
/// Adds row `y` of `input`, four bytes a pixel. Rows must arrive from top to bottom, without gaps. `pixels` are the
/// region's; its rows are written as soon as they are complete.
void eighths_reducer_add(eighths_reducer *reducer, const uint8_t *row, uint32_t y, uint8_t *pixels);
/// Also if it was not opened.
void eighths_reducer_close(eighths_reducer *reducer);
