#pragma once

#include <libde265/de265.h>

#include "heif_tiles.h"

/// A tile that libde265 decodes without libheif, which would copy it and, before version 1.16, convert it to red, green
/// and blue at full size.
typedef struct hevc_tile {
    /// Owns the image; NULL if there is none.
    de265_decoder_context *decoder;
    const struct de265_image *image;
    /// Why `image` is NULL: an error number if the file cannot be read, or libde265's message.
    int read_error;
    const char *reason;
} hevc_tile;

/// Decodes some tiles on up to two threads: those of `tiles` with a place in `places`.
///
/// `is_rough` leaves out the filters of edges between blocks, which cost an eighth of the time: the mean of some pixels
/// hardly shows them, and no other pixel is predicted from theirs.
void hevc_tiles_decode(
    const heif_view *view, heif_box configuration, const heif_place *const *places, hevc_tile *tiles, uint32_t count,
    bool is_rough);
void hevc_tile_close(hevc_tile *tile);
