#pragma once

#include <libheif/heif.h>

#include "block_averager.h"
#include "heif_tiles.h"
#include "photo_result.h"
#include "transfer_curve.h"

/// Components of a pixel.
enum { COMPONENTS = 4 };

/// One component of a decoded image; chroma and alpha may be smaller than the image.
typedef struct heif_plane {
    const uint8_t *bytes;
    int stride, width, height, bits;
    /// For each column that is needed, its index in the plane's row.
    uint32_t *columns;
} heif_plane;

/// A decoded image: the photo, or one of its tiles.
typedef struct heif_part {
    struct heif_image *image;
    heif_plane planes[COMPONENTS];
    /// The columns that are needed: the first in the region, and their number.
    uint32_t x, count;
} heif_part;

/// All state of one decoding. libheif passes its address to every callback.
typedef struct heif_job {
    heif_view view;
    photo_limits limits;
    photo_request request;
    uint64_t position;
    int read_error;
    struct heif_context *context;
    struct heif_image_handle *handle;
    struct heif_decoding_options *options;
    /// The photo's parts, in a grid, and their size. One, unless `tiles` has the identifiers of more.
    heif_tiles tiles;
    uint32_t columns, rows, part_width, part_height;
    /// One row of them.
    heif_part *parts;
    /// How the parts store colors.
    bool is_rgb, is_gray;
    struct heif_color_profile_nclx *nclx;
    transfer_curve curve;
    uint8_t *row;
    block_averager averager;
    photo_result result;
} heif_job;

/// Records a failure. Returns false.
bool heif_fail(heif_job *job, photo_status status, const char *reason);
/// Whether libheif succeeded; otherwise records its error.
bool heif_succeeds(heif_job *job, struct heif_error error);

/// Decodes the part at that place in the grid, if the region needs it.
bool heif_open_part(heif_job *job, uint32_t row, uint32_t column, photo_region region);
/// Closes the open row of parts.
void heif_close_parts(heif_job *job);
/// Copies line `y` of a part's component into its columns of the job's row.
void heif_take_line(const heif_job *job, const heif_part *part, int component, uint32_t y);
