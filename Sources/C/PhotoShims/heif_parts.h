#pragma once

#include <libheif/heif.h>

#include "block_averager.h"
#include "heif_hevc.h"
#include "photo_result.h"
#include "transfer_curve.h"

/// Components of a pixel.
enum { COMPONENTS = 4, ALPHA = 3 };

/// One component of a decoded image; chroma and alpha may be smaller than the image.
typedef struct heif_plane {
    const uint8_t *bytes;
    int stride, width, height, bits;
    /// Buffer for a line that is converted to bytes.
    uint8_t *line;
    /// Sums of the lines since the last `heif_add_sums`: by sample; if the part has alpha, by pixel and times alpha.
    uint32_t *sums;
} heif_plane;

/// A decoded image: the photo, or one of its tiles, by libheif or by libde265 alone.
typedef struct heif_part {
    struct heif_image *image;
    const struct de265_image *coded;
    heif_plane planes[COMPONENTS];
    /// The needed columns: where the first one is in the part and in the region, and their number.
    uint32_t first, x, count;
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
    /// What is decoded instead of the photo; NULL if it is the photo.
    struct heif_image_handle *thumbnail;
    struct heif_decoding_options *options;
    /// The photo's parts, in a grid, and their size. One, the photo itself, unless it is divided into those of `tiles`.
    heif_tiles tiles;
    bool is_divided;
    uint32_t columns, rows, part_width, part_height;
    /// One row of them.
    heif_part *parts;
    /// If libde265 decodes them: the tiles of this row, and where they are in the file; NULL for those not needed.
    hevc_tile *row_tiles;
    const heif_place **row_places;
    /// How the parts store colors.
    bool has_colors, is_rgb, is_gray;
    struct heif_color_profile_nclx *nclx;
    transfer_curve curve;
    block_averager averager;
    photo_result result;
} heif_job;

/// Records a failure. Returns false.
bool heif_fail(heif_job *job, photo_status status, const char *reason);
/// Whether libheif succeeded; otherwise records its error.
bool heif_succeeds(heif_job *job, struct heif_error error);

/// Decodes those parts of a row of the grid that the region needs.
bool heif_open_parts(heif_job *job, uint32_t row, photo_region region);
/// Closes the open row of parts.
void heif_close_parts(heif_job *job);
/// Adds line `y` of a part to the sums of its planes.
void heif_add_line(const heif_job *job, const heif_part *part, uint32_t y);
/// Adds these sums to the job's blocks, and begins new ones.
void heif_add_sums(heif_job *job, const heif_part *part);
