#pragma once

#include "CPhotoShims.h"

/// What libheif 1.15 does not report of an image.
typedef struct heif_tiles {
    /// Whether the image consists of tiles, as phones write it: then the codec holds one small tile at a time. False if
    /// the file cannot be parsed.
    bool is_tiled;
    /// How to turn a tiled image upright: the values of Exif's tag 274; 0 if that is unknown, or if it is also cropped.
    uint8_t orientation;
} heif_tiles;

heif_tiles heif_read_tiles(const photo_source *source);
