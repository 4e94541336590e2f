#include <stdlib.h>
#include <string.h>

#include <webp/decode.h>

#include "block_averager.h"
#include "photo_result.h"
#include "riff_chunks.h"

enum { BUFFER_SIZE = 64 * 1024, MAX_CHUNKS = 256, MAX_EXIF_BYTES = 64 * 1024 };

/// All state of one decoding.
typedef struct webp_job {
    photo_source source;
    photo_limits limits;
    photo_request request;
    /// The image's chunk and its alpha chunk; for an animation, those of its first frame.
    riff_chunk picture, alpha, profile, exif;
    bool has_animation, is_lossless;
    uint8_t *buffer;
    /// A lossless image, all of it.
    uint8_t *whole;
    WebPIDecoder *decoder;
    WebPDecoderConfig config;
    photo_result result;
} webp_job;

static bool fail(webp_job *job, photo_status status, const char *reason) {
    photo_fail(&job->result, status, "%s", reason);
    return false;
}

static void keep_first(riff_chunk *kept, const riff_chunk *chunk) {
    if (kept->offset == 0) *kept = *chunk;
}

/// Finds the chunks that are needed (RFC 9649). In an animation, only in the first frame.
static bool find_chunks(webp_job *job) {
    uint8_t head[12];
    if (photo_source_read(&job->source, 0, head, sizeof head) != (ssize_t)sizeof head)
        return fail(job, PHOTO_CORRUPT, "the file is truncated");
    uint64_t end = (uint64_t)riff_number(head + 4, 4) + 8;
    if (end > job->source.count) end = job->source.count;
    uint64_t position = sizeof head;
    riff_chunk chunk;
    for (int count = 0; count < MAX_CHUNKS && riff_next(&job->source, &position, end, &chunk); count++) {
        if (riff_is(&chunk, "VP8 ") || riff_is(&chunk, "VP8L")) keep_first(&job->picture, &chunk);
        if (riff_is(&chunk, "ALPH")) keep_first(&job->alpha, &chunk);
        if (riff_is(&chunk, "ICCP")) keep_first(&job->profile, &chunk);
        if (riff_is(&chunk, "EXIF")) keep_first(&job->exif, &chunk);
        if (!riff_is(&chunk, "ANMF") || job->has_animation) continue;
        job->has_animation = true;
        // The frame's position, size, duration and flags precede its own chunks.
        uint64_t inner = chunk.offset + 16, inner_end = chunk.offset + chunk.count;
        for (; count < MAX_CHUNKS && riff_next(&job->source, &inner, inner_end, &chunk); count++) {
            if (riff_is(&chunk, "VP8 ") || riff_is(&chunk, "VP8L")) keep_first(&job->picture, &chunk);
            if (riff_is(&chunk, "ALPH")) keep_first(&job->alpha, &chunk);
        }
    }
    if (job->picture.offset == 0) return fail(job, PHOTO_CORRUPT, "it has no image");
    // A lossless image may end like that where it has one color.
    return riff_is(&job->picture, "VP8L")
        || !photo_source_ends_in_zeros(&job->source, job->picture.offset, job->picture.count)
        || fail(job, PHOTO_CORRUPT, "the file is truncated");
}

/// The chunk's content; NULL if it is missing, truncated or larger than `limit`.
static uint8_t *read_chunk(const webp_job *job, const riff_chunk *chunk, size_t limit) {
    if (chunk->offset == 0 || chunk->count == 0 || chunk->count > limit) return NULL;
    uint8_t *bytes = malloc(chunk->count);
    if (bytes == NULL) return NULL;
    if (photo_source_read(&job->source, chunk->offset, bytes, chunk->count) == (ssize_t)chunk->count) return bytes;
    free(bytes);
    return NULL;
}

static void take_exif(webp_job *job) {
    uint8_t *bytes = read_chunk(job, &job->exif, MAX_EXIF_BYTES);
    if (bytes == NULL) return;
    size_t skipped = job->exif.count > 6 && memcmp(bytes, "Exif\0", 6) == 0 ? 6 : 0;
    job->result.exif = bytes;
    job->result.exif_count = job->exif.count - skipped;
    // Some writers keep the prefix that JPEG requires.
    memmove(bytes, bytes + skipped, job->result.exif_count);
}

static bool read_size(webp_job *job) {
    uint8_t head[64];
    ssize_t count = photo_source_read(&job->source, job->picture.offset - 8, head, sizeof head);
    if (count < 0) return fail(job, PHOTO_UNREADABLE, strerror((int)-count));
    WebPBitstreamFeatures *features = &job->config.input;
    if (WebPGetFeatures(head, (size_t)count, features) != VP8_STATUS_OK)
        return fail(job, PHOTO_CORRUPT, "its image has no valid header");
    if (!photo_accept_size(&job->result, &job->limits, (uint32_t)features->width, (uint32_t)features->height))
        return false;
    // Lossy images are decoded row by row; libwebp keeps in memory the pixels of lossless ones, the alpha of lossy ones
    // twice, and in the worst case the file.
    uint64_t pixels = (uint64_t)features->width * (uint64_t)features->height;
    job->is_lossless = riff_is(&job->picture, "VP8L");
    bool has_alpha = !job->is_lossless && job->alpha.offset > 0;
    uint64_t bytes = job->picture.count
        + (job->is_lossless ? pixels * 4 : has_alpha ? pixels * 2 + job->alpha.count : 0);
    return photo_accept_memory(&job->result, &job->limits, bytes);
}

static bool open_decoder(webp_job *job) {
    photo_region region = photo_region_of(&job->result, &job->request);
    // libwebp crops at even columns and rows.
    region.width += region.x % 2;
    region.height += region.y % 2;
    region.x -= region.x % 2;
    region.y -= region.y % 2;
    uint32_t factor = block_averager_factor(region.width, region.height, job->request.working_side);
    photo_result *result = &job->result;
    result->width = (region.width - 1) / factor + 1;
    result->height = (region.height - 1) / factor + 1;
    photo_cover(result, region, 1);
    result->pixels = calloc((size_t)result->width * result->height, 4);
    if (result->pixels == NULL) return fail(job, PHOTO_OUT_OF_MEMORY, "out of memory");

    WebPDecoderOptions *options = &job->config.options;
    options->use_cropping = region.width < result->photo_width || region.height < result->photo_height;
    options->crop_left = (int)region.x;
    options->crop_top = (int)region.y;
    options->crop_width = (int)region.width;
    options->crop_height = (int)region.height;
    options->use_scaling = factor > 1;
    options->scaled_width = (int)result->width;
    options->scaled_height = (int)result->height;
    WebPDecBuffer *output = &job->config.output;
    output->colorspace = MODE_RGBA;
    output->is_external_memory = 1;
    output->u.RGBA.rgba = result->pixels;
    output->u.RGBA.stride = (int)result->width * 4;
    output->u.RGBA.size = (size_t)result->width * result->height * 4;
    job->decoder = WebPIDecode(NULL, 0, &job->config);
    job->buffer = malloc(BUFFER_SIZE);
    return (job->decoder != NULL && job->buffer != NULL) || fail(job, PHOTO_OUT_OF_MEMORY, "out of memory");
}

static VP8StatusCode feed(webp_job *job, const uint8_t *bytes, size_t count) {
    return WebPIAppend(job->decoder, bytes, count);
}

/// Feeds a lossless image in one piece: libwebp needs all of its bytes, and would have them twice when it appends some.
static VP8StatusCode feed_whole(webp_job *job, const uint8_t *head, size_t head_count) {
    size_t count = 8 + (size_t)job->picture.count + job->picture.count % 2;
    job->whole = malloc(head_count + count);
    if (job->whole == NULL) return VP8_STATUS_OUT_OF_MEMORY;
    memcpy(job->whole, head, head_count);
    ssize_t got = photo_source_read(&job->source, job->picture.offset - 8, job->whole + head_count, count);
    if (got >= 0) return WebPIUpdate(job->decoder, job->whole, head_count + (size_t)got);
    fail(job, PHOTO_UNREADABLE, strerror((int)-got));
    return VP8_STATUS_USER_ABORT;
}

/// Feeds a chunk, its header included.
static VP8StatusCode feed_chunk(webp_job *job, const riff_chunk *chunk) {
    uint64_t position = chunk->offset - 8;
    uint64_t left = 8 + (uint64_t)chunk->count + chunk->count % 2;
    VP8StatusCode status = VP8_STATUS_SUSPENDED;
    while (left > 0 && status == VP8_STATUS_SUSPENDED) {
        ssize_t got = photo_source_read(&job->source, position, job->buffer, left < BUFFER_SIZE ? left : BUFFER_SIZE);
        if (got < 0) {
            fail(job, PHOTO_UNREADABLE, strerror((int)-got));
            return VP8_STATUS_USER_ABORT;
        }
        // At the end of the file, libwebp reports missing data.
        if (got == 0) break;
        position += (uint64_t)got;
        left -= (uint64_t)got;
        status = feed(job, job->buffer, (size_t)got);
    }
    return status;
}

static void put(uint8_t *bytes, uint32_t number, int count) {
    for (int index = 0; index < count; index++) bytes[index] = (uint8_t)(number >> (8 * index));
}

// libwebp receives a still image rebuilt from the chunks found: it would reject animations, and keep profiles and
// metadata in memory.
static bool feed_picture(webp_job *job) {
    bool has_alpha = job->alpha.offset > 0 && !job->is_lossless;
    uint8_t head[30] = "RIFF\0\0\0\0WEBPVP8X\x0A\0\0\0\x10";
    uint64_t size = 4 + 18 + 8 + (uint64_t)job->picture.count + job->picture.count % 2
        + (has_alpha ? 8 + (uint64_t)job->alpha.count + job->alpha.count % 2 : 0);
    // libwebp accepts sizes up to eight less than the 32-bit maximum.
    if (size > 0xFFFFFFF6) return fail(job, PHOTO_CORRUPT, "its chunks are too long");
    put(head + 4, (uint32_t)size, 4);
    put(head + 24, job->result.photo_width - 1, 3);
    put(head + 27, job->result.photo_height - 1, 3);
    VP8StatusCode status = VP8_STATUS_SUSPENDED;
    if (has_alpha) {
        status = feed(job, head, sizeof head);
        if (status == VP8_STATUS_SUSPENDED) status = feed_chunk(job, &job->alpha);
    } else {
        // The simple form, in which lossless images may have alpha, too.
        put(head + 4, (uint32_t)size - 18, 4);
        status = job->is_lossless ? feed_whole(job, head, 12) : feed(job, head, 12);
    }
    if (status == VP8_STATUS_SUSPENDED && !job->is_lossless) status = feed_chunk(job, &job->picture);
    if (job->result.status != PHOTO_OK) return false;
    switch (status) {
    case VP8_STATUS_OK: return true;
    case VP8_STATUS_OUT_OF_MEMORY: return fail(job, PHOTO_OUT_OF_MEMORY, "out of memory");
    case VP8_STATUS_UNSUPPORTED_FEATURE: return fail(job, PHOTO_UNSUPPORTED, "libwebp does not support a feature");
    case VP8_STATUS_SUSPENDED:
    case VP8_STATUS_NOT_ENOUGH_DATA: return fail(job, PHOTO_CORRUPT, "the file is truncated");
    default: return fail(job, PHOTO_CORRUPT, "its image cannot be decoded");
    }
}

static void finish(webp_job *job) {
    photo_result *result = &job->result;
    size_t count = (size_t)result->width * result->height;
    uint8_t *profile = read_chunk(job, &job->profile, PHOTO_MAX_PROFILE_BYTES);
    color_transform *colors = color_transform_open(profile, job->profile.count, COLOR_RGB);
    if (colors != NULL) color_transform_apply(colors, result->pixels, count);
    color_transform_close(colors);
    free(profile);
    for (size_t index = 0; index < count && !result->has_alpha; index++)
        result->has_alpha = result->pixels[index * 4 + 3] != 255;
}

photo_result photo_decode_webp(photo_source source, photo_limits limits, photo_request request) {
    webp_job job = {.source = source, .limits = limits, .request = request};
    if (WebPInitDecoderConfig(&job.config) == 0) {
        fail(&job, PHOTO_UNSUPPORTED, "libwebp's version differs from the one at build time");
    } else if (find_chunks(&job) && read_size(&job)) {
        take_exif(&job);
        if (request.working_side > 0 && open_decoder(&job) && feed_picture(&job)) finish(&job);
    }
    WebPIDelete(job.decoder);
    free(job.buffer);
    free(job.whole);
    if (job.is_lossless && request.working_side > 0) photo_return_memory();
    if (job.result.status != PHOTO_OK) {
        free(job.result.pixels);
        job.result.pixels = NULL;
    }
    return job.result;
}
