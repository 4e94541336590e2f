#pragma once

#include "heif_view.h"

/// Where an item's data is in the file.
typedef struct heif_place {
    uint64_t offset, count;
} heif_place;

/// What libheif 1.15 does not report of an image.
typedef struct heif_tiles {
    /// Whether the image consists of tiles, as phones write it. False if the file cannot be parsed.
    bool is_tiled;
    /// Whether the file names the image and its data, but it is coded in a way that libheif 1.15 does not know.
    bool is_unknown;
    /// The result of `heif_has_cycle`.
    bool has_cycle;
    /// The result of `photo_source_ends_in_zeros` for the last coded image.
    bool ends_in_zeros;
    /// How to turn a tiled image upright: the values of Exif's tag 274; 0 if that is unknown, or if it is also cropped.
    uint8_t orientation;
    /// The grid, in tiles, and its items row by row, allocated; 0 and NULL if its description cannot be read.
    uint32_t columns, rows;
    uint32_t *ids;
    /// Their data, if all tiles are plain HEVC images, each in one piece, with the same configuration: the content of
    /// `hvcC`. Otherwise NULL.
    heif_place *places;
    heif_box configuration;
} heif_tiles;

/// How to turn an item upright, as `orientation` above; 0 also if its properties cannot be read.
uint8_t heif_tiles_orientation(const heif_view *view, uint32_t id);

heif_tiles heif_read_tiles(const heif_view *view);
void heif_tiles_close(heif_tiles *tiles);
