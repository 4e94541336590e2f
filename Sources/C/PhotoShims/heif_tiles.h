#pragma once

#include "heif_view.h"

/// What libheif 1.15 does not report of an image.
typedef struct heif_tiles {
    /// Whether the image consists of tiles, as phones write it. False if the file cannot be parsed.
    bool is_tiled;
    /// How to turn a tiled image upright: the values of Exif's tag 274; 0 if that is unknown, or if it is also cropped.
    uint8_t orientation;
    /// The grid, in tiles, and its items row by row, allocated; 0 and NULL if its description cannot be read.
    uint32_t columns, rows;
    uint32_t *ids;
} heif_tiles;

heif_tiles heif_read_tiles(const heif_view *view);
void heif_tiles_close(heif_tiles *tiles);
