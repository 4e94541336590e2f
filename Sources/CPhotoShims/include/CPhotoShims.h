// The image libraries behind plain calls: every setjmp and longjmp stays on this side, callers see a status.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum __attribute__((enum_extensibility(closed))) photo_status : int32_t {
    PHOTO_OK = 0,
    PHOTO_CORRUPT,
    PHOTO_UNSUPPORTED,
    PHOTO_OVER_LIMIT,
    /// Beyond `max_memory`.
    PHOTO_OVER_MEMORY,
    PHOTO_UNREADABLE,
    PHOTO_OUT_OF_MEMORY,
} photo_status;

/// Where the bytes come from: `bytes`, or, where that is NULL, `descriptor` by pread from offset 0. Borrowed.
typedef struct photo_source {
    const uint8_t *bytes;
    int descriptor;
    /// How many bytes there are; nothing behind them is read.
    uint64_t count;
} photo_source;

typedef struct photo_limits {
    uint64_t max_pixels;
    /// Of either side, in pixels: what one row may cost.
    uint32_t max_side;
    /// Of a progressive JPEG.
    uint32_t max_scans;
    /// What may be held in memory of a picture that cannot be taken row by row.
    uint64_t max_memory;
} photo_limits;

/// Part of a photo, in its pixels as stored. Must lie inside the photo; all of it where `width` is 0.
typedef struct photo_region {
    uint32_t x, y, width, height;
} photo_region;

typedef struct photo_request {
    /// The longer side of what is decoded ends in working_side ..< 2 * working_side, or at its own size where that is
    /// smaller. 0 reads the header alone: sizes and, where it stands before the picture, the Exif block.
    uint32_t working_side;
    photo_region region;
} photo_request;

/// What a decoder leaves behind, to be given to `photo_result_free` whatever the status.
typedef struct photo_result {
    photo_status status;
    /// The photo's own size, as stored (not yet upright). 0 until the header has been read.
    uint32_t photo_width, photo_height;
    /// What `pixels` cover, in the photo's pixels as stored: the region, rounded outward to what they can show.
    double x, y, covered_width, covered_height;
    /// The size of `pixels`, as stored.
    uint32_t width, height;
    /// RGBA, straight alpha, sRGB, rows without padding; NULL unless the status is PHOTO_OK.
    uint8_t *pixels;
    /// True when at least one of `pixels` is not opaque.
    bool has_alpha;
    /// The Exif block, from its TIFF header on; NULL where there is none, or where the picture is upright already.
    uint8_t *exif;
    size_t exif_count;
    /// What went wrong, in the library's words; empty when nothing did.
    char message[200];
} photo_result;

/// How many bytes a regular file has; -errno on failure, -ENOTSUP where it is something else.
int64_t photo_file_size(int descriptor);

/// What the libraries would load at their first photo is loaded now: HEIF's plug-ins, in newer libheifs.
void photo_codecs_prepare(void);

/// Up to `capacity` bytes from `offset` on; fewer only at the end. -errno on failure.
ssize_t photo_source_read(const photo_source *source, uint64_t offset, uint8_t *buffer, size_t capacity);

photo_result photo_decode_jpeg(photo_source source, photo_limits limits, photo_request request);
photo_result photo_decode_png(photo_source source, photo_limits limits, photo_request request);
/// Of an animation the first frame alone, which is then the whole photo.
photo_result photo_decode_webp(photo_source source, photo_limits limits, photo_request request);
/// HEIF and AVIF, turned and mirrored already as the container says. Held whole while it is decoded.
photo_result photo_decode_heif(photo_source source, photo_limits limits, photo_request request);
void photo_result_free(photo_result *result);

/// Writes `height` rows of `width` RGBA pixels, each filtered (Sub in the first, Paeth in the others) and behind its
/// filter's number: `height * (1 + width * 4)` bytes. PNG specification, section 9.2.
void photo_png_filter(const uint8_t *pixels, size_t width, size_t height, uint8_t *out);

/// An 8-bit grey PNG growing in memory, row by row.
typedef struct photo_png_writer photo_png_writer;

/// NULL when there is no memory, or a side is 0 or beyond what PNG can say.
photo_png_writer *photo_png_begin(uint32_t width, uint32_t height);
/// Takes the next row. False when there is no memory; the writer is then of no more use.
bool photo_png_row(photo_png_writer *writer, const uint8_t *row);
/// Ends the file after its last row; the bytes belong to the writer. False as above.
bool photo_png_finish(photo_png_writer *writer, const uint8_t **bytes, size_t *count);
void photo_png_free(photo_png_writer *writer);

/// A lossy WebP with an sRGB profile and, where a pixel is not opaque, alpha; both qualities 0…100, alpha lossless at
/// 100. The same pixels give the same bytes, to be given to `photo_bytes_free`. NULL when there is no memory. Neither
/// side may be 0 or above 16383.
uint8_t *photo_encode_webp(
    const uint8_t *pixels, uint32_t width, uint32_t height, int quality, int alpha_quality, size_t *count);
void photo_bytes_free(uint8_t *bytes);
