// Plain calls for the image libraries: setjmp and longjmp stay in C, and callers get a status.
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

/// The photo's bytes: `bytes`, or, if that is NULL, `descriptor`, read by pread from offset 0. Borrowed.
typedef struct photo_source {
    const uint8_t *bytes;
    int descriptor;
    /// The number of bytes; nothing after them is read.
    uint64_t count;
} photo_source;

typedef struct photo_limits {
    uint64_t max_pixels;
    /// Maximum width and height in pixels, which bounds the memory of a row.
    uint32_t max_side;
    /// Maximum scans of a progressive JPEG.
    uint32_t max_scans;
    /// Maximum bytes of memory for an image that cannot be decoded row by row.
    uint64_t max_memory;
} photo_limits;

/// Part of a photo, in its pixels as stored. Must be inside the photo; if `width` is 0, the whole photo.
typedef struct photo_region {
    uint32_t x, y, width, height;
} photo_region;

typedef struct photo_request {
    /// The longer side of the result is in working_side ..< 2 * working_side, or the photo's own size if that is
    /// smaller; that of a JPEG may be up to a sixth below. 0 reads only the header: sizes and, if it precedes the
    /// image, the Exif block.
    uint32_t working_side;
    photo_region region;
    /// If the photo is in tiles and has a thumbnail like it whose longer side is at least this and below 2 *
    /// working_side, then the result is the thumbnail's. 0: never.
    uint32_t thumbnail_side;
    /// If not NULL, which cells of a grid over the photo as stored are needed, row by row: not 0. The tiles of a HEIF
    /// that touch none are not decoded, and transparent in the result. Borrowed.
    const uint8_t *needed;
    uint32_t needed_columns, needed_rows;
    /// Decodes a JPEG without libjpeg's internals, even if they could be used: more slowly, to the same result.
    bool avoids_private_parts;
} photo_request;

/// A decoder's result. Pass it to `photo_result_free`, regardless of the status.
typedef struct photo_result {
    photo_status status;
    /// The photo's own size, as stored (not yet upright). 0 until the header has been read.
    uint32_t photo_width, photo_height;
    /// What `pixels` cover, in the photo's pixels as stored: the region, rounded outward to whole `pixels`.
    double x, y, covered_width, covered_height;
    /// The size of `pixels`, as stored.
    uint32_t width, height;
    /// RGBA, straight alpha, sRGB, rows without padding; NULL unless the status is PHOTO_OK.
    uint8_t *pixels;
    /// Whether at least one of `pixels` is not opaque.
    bool has_alpha;
    /// Whether `pixels` are those of the photo's thumbnail.
    bool is_thumbnail;
    /// The Exif block from its TIFF header on; NULL if there is none, or if the image is already upright.
    uint8_t *exif;
    size_t exif_count;
    /// How to turn the image upright, if the container says it: the values of Exif's tag 274. 0: as in the Exif block.
    uint8_t orientation;
    /// The library's error message; with PHOTO_OK, that of a flaw that costs the image little. Empty if there is none.
    char message[200];
} photo_result;

/// The size of a regular file; -errno on failure, -ENOTSUP for any other file.
int64_t photo_file_size(int descriptor);

/// Loads what the libraries would load for their first photo: HEIF's plug-ins, in newer versions of libheif.
void photo_codecs_prepare(void);

/// Reads up to `capacity` bytes from `offset` on; fewer only at the end. -errno on failure.
ssize_t photo_source_read(const photo_source *source, uint64_t offset, uint8_t *buffer, size_t capacity);

/// Whether coded data ends in more zeros than encoders write: programs that set a file's size before they write it,
/// such as Windows on a share, leave that when they are interrupted. Decoders make pixels of it.
bool photo_source_ends_in_zeros(const photo_source *source, uint64_t offset, uint64_t count);

/// How JPEGs are decoded in this process.
typedef enum __attribute__((enum_extensibility(closed))) photo_jpeg_parts : int32_t {
    /// Faster steps of ours take the place of some of libjpeg's.
    PHOTO_JPEG_PRIVATE_PARTS,
    /// Through libjpeg's public interface alone: the header of its internals was missing when this was compiled,
    PHOTO_JPEG_NO_HEADER,
    /// or it was that of another version than the library in this process.
    PHOTO_JPEG_OTHER_VERSION,
} photo_jpeg_parts;
photo_jpeg_parts photo_jpeg_parts_in_use(void);

photo_result photo_decode_jpeg(photo_source source, photo_limits limits, photo_request request);
photo_result photo_decode_png(photo_source source, photo_limits limits, photo_request request);
/// For an animation, decodes only the first frame.
photo_result photo_decode_webp(photo_source source, photo_limits limits, photo_request request);
/// HEIF and AVIF. Rotated and mirrored as the container requires, unless the result has an orientation. The image is in
/// memory as a whole while it is decoded.
photo_result photo_decode_heif(photo_source source, photo_limits limits, photo_request request);
void photo_result_free(photo_result *result);

/// Writes `height` rows of `width` RGBA pixels, each filtered (Sub in the first, Paeth in the others) and behind its
/// filter's number: `height * (1 + width * 4)` bytes. PNG specification, section 9.2.
void photo_png_filter(const uint8_t *pixels, size_t width, size_t height, uint8_t *out);

/// An 8-bit gray PNG written in memory, row by row.
typedef struct photo_png_writer photo_png_writer;

/// NULL if out of memory, or if a side is 0 or beyond PNG's limit.
photo_png_writer *photo_png_begin(uint32_t width, uint32_t height);
/// Adds the next row. Returns false if out of memory; the writer is unusable then.
bool photo_png_row(photo_png_writer *writer, const uint8_t *row);
/// Ends the file after its last row; the bytes belong to the writer. Returns false if out of memory.
bool photo_png_finish(photo_png_writer *writer, const uint8_t **bytes, size_t *count);
void photo_png_free(photo_png_writer *writer);

/// A lossy WebP with an sRGB profile and, if a pixel is not opaque, alpha; both qualities 0…100, alpha lossless at 100.
/// `quickly` takes half the time, for a file that is about a tenth larger. The same pixels give the same bytes. Free
/// them with `photo_bytes_free`. NULL if out of memory. Neither side may be 0 or above 16383.
uint8_t *photo_encode_webp(
    const uint8_t *pixels, uint32_t width, uint32_t height, int quality, int alpha_quality, bool quickly,
    size_t *count);
void photo_bytes_free(uint8_t *bytes);
