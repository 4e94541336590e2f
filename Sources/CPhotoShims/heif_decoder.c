#include <stdlib.h>
#include <string.h>

#include <libheif/heif.h>

#include "block_averager.h"
#include "heif_boxes.h"
#include "photo_result.h"
#include "ycc_colors.h"

enum { COMPONENTS = 4 };

/// One component of the decoded image; chroma and alpha may be smaller than the image.
typedef struct heif_plane {
    const uint8_t *bytes;
    int stride, width, height, bits;
    /// For each column of the region, its index in the plane's row.
    uint32_t *columns;
} heif_plane;

/// All state of one decoding. libheif passes its address to every callback.
typedef struct heif_job {
    photo_source source;
    photo_limits limits;
    photo_request request;
    uint64_t position;
    int read_error;
    struct heif_context *context;
    struct heif_image_handle *handle;
    struct heif_decoding_options *options;
    struct heif_image *image;
    heif_plane planes[COMPONENTS];
    uint8_t *row;
    block_averager averager;
    photo_result result;
} heif_job;

// MARK: Input

static int64_t position_of(void *job) { return (int64_t)((heif_job *)job)->position; }

static int read_bytes(void *buffer, size_t count, void *userdata) {
    heif_job *job = userdata;
    ssize_t got = photo_source_read(&job->source, job->position, buffer, count);
    if (got < 0) job->read_error = (int)-got;
    if (got != (ssize_t)count) return 1;
    job->position += count;
    return 0;
}

static int seek(int64_t position, void *userdata) {
    heif_job *job = userdata;
    if (position < 0 || (uint64_t)position > job->source.count) return 1;
    job->position = (uint64_t)position;
    return 0;
}

static enum heif_reader_grow_status wait_for_size(int64_t target, void *userdata) {
    heif_job *job = userdata;
    return target >= 0 && (uint64_t)target <= job->source.count ? heif_reader_grow_status_size_reached
                                                                : heif_reader_grow_status_size_beyond_eof;
}

static const struct heif_reader reader = {
    .reader_api_version = 1,
    .get_position = position_of,
    .read = read_bytes,
    .seek = seek,
    .wait_for_file_size = wait_for_size,
};

// MARK: Errors

static bool fail(heif_job *job, photo_status status, const char *reason) {
    photo_fail(&job->result, status, "%s", reason);
    return false;
}

static bool succeeds(heif_job *job, struct heif_error error) {
    if (error.code == heif_error_Ok) return true;
    if (job->read_error != 0) return fail(job, PHOTO_UNREADABLE, strerror(job->read_error));
    switch (error.code) {
    case heif_error_Unsupported_filetype:
    case heif_error_Unsupported_feature: return fail(job, PHOTO_UNSUPPORTED, error.message);
    case heif_error_Memory_allocation_error: return fail(job, PHOTO_OVER_MEMORY, error.message);
    default: return fail(job, PHOTO_CORRUPT, error.message);
    }
}

void photo_codecs_prepare(void) { heif_init(NULL); }

// MARK: Decoding

static bool open_picture(heif_job *job) {
    job->context = heif_context_alloc();
    if (job->context == NULL) return fail(job, PHOTO_OUT_OF_MEMORY, "out of memory");
    // One photo per core: tiles are decoded in this thread, one after another.
    heif_context_set_max_decoding_threads(job->context, 0);
    if (!succeeds(job, heif_context_read_from_reader(job->context, &reader, job, NULL))
        || !succeeds(job, heif_context_get_primary_image_handle(job->context, &job->handle)))
        return false;
    heif_tiles tiles = heif_read_tiles(&job->source);
    // libheif would need a second image to turn the first. It turns alpha in any case.
    bool is_stored = tiles.orientation > 0 && !heif_image_handle_has_alpha_channel(job->handle);
    if (is_stored) job->result.orientation = tiles.orientation;
    int width = is_stored ? heif_image_handle_get_ispe_width(job->handle) : heif_image_handle_get_width(job->handle);
    int height = is_stored ? heif_image_handle_get_ispe_height(job->handle) : heif_image_handle_get_height(job->handle);
    if (width <= 0 || height <= 0) return fail(job, PHOTO_CORRUPT, "it has no size");
    if (!photo_accept_size(&job->result, &job->limits, (uint32_t)width, (uint32_t)height)) return false;
    // Measured with 8 bits. libheif puts tiles into an image of red, green and blue. For other images, libde265 and
    // dav1d with one thread use five bytes, and libheif keeps the file.
    uint64_t bytes_per_pixel = tiles.is_tiled ? 3 : 6;
    if (heif_image_handle_has_alpha_channel(job->handle)) bytes_per_pixel += 2;
    if (heif_image_handle_get_luma_bits_per_pixel(job->handle) > 8) bytes_per_pixel *= 2;
    return photo_accept_memory(&job->result, &job->limits, (uint64_t)width * (uint64_t)height * bytes_per_pixel);
}

static bool decode(heif_job *job) {
    job->options = heif_decoding_options_alloc();
    if (job->options == NULL) return fail(job, PHOTO_OUT_OF_MEMORY, "out of memory");
    job->options->ignore_transformations = job->result.orientation > 0;
    // libheif 1.15 converts to red, green and blue at full size; another request would be a second conversion.
    if (!succeeds(job, heif_decode_image(job->handle, &job->image, heif_colorspace_undefined, heif_chroma_undefined,
                           job->options)))
        return false;
    if (heif_image_get_primary_width(job->image) == (int)job->result.photo_width
        && heif_image_get_primary_height(job->image) == (int)job->result.photo_height)
        return true;
    return fail(job, PHOTO_CORRUPT, "the image's size differs from the header's");
}

static bool open_plane(heif_job *job, heif_plane *plane, enum heif_channel channel, photo_region region) {
    plane->bytes = heif_image_get_plane_readonly(job->image, channel, &plane->stride);
    plane->width = heif_image_get_width(job->image, channel);
    plane->height = heif_image_get_height(job->image, channel);
    plane->bits = heif_image_get_bits_per_pixel_range(job->image, channel);
    if (plane->bytes == NULL || plane->width <= 0 || plane->height <= 0 || plane->bits < 8 || plane->bits > 16)
        return false;
    plane->columns = malloc(region.width * sizeof *plane->columns);
    if (plane->columns == NULL) return false;
    uint64_t width = job->result.photo_width, width_in_plane = (uint64_t)plane->width;
    // Two columns share one of chroma at half the width, rounded up.
    uint64_t share = (width + width_in_plane - 1) / width_in_plane;
    for (uint32_t x = 0; x < region.width; x++) {
        uint64_t column = (region.x + x) / share;
        plane->columns[x] = (uint32_t)(column < width_in_plane ? column : width_in_plane - 1);
    }
    return true;
}

static void take_row(const heif_job *job, const heif_plane *plane, uint32_t y, uint32_t count, uint8_t *output) {
    uint32_t share = (job->result.photo_height + (uint32_t)plane->height - 1) / (uint32_t)plane->height;
    uint32_t line = y / share < (uint32_t)plane->height ? y / share : (uint32_t)plane->height - 1;
    const uint8_t *bytes = plane->bytes + (size_t)line * (size_t)plane->stride;
    if (plane->bits == 8) {
        for (uint32_t x = 0; x < count; x++) output[x * COMPONENTS] = bytes[plane->columns[x]];
        return;
    }
    uint32_t limit = (1u << plane->bits) - 1, half = limit / 2;
    for (uint32_t x = 0; x < count; x++) {
        uint16_t sample;
        memcpy(&sample, bytes + (size_t)plane->columns[x] * sizeof sample, sizeof sample);
        output[x * COMPONENTS] = (uint8_t)(((sample < limit ? sample : limit) * 255 + half) / limit);
    }
}

static color_transform *open_colors(heif_job *job, color_kind kind, const struct heif_color_profile_nclx *nclx) {
    size_t count = heif_image_handle_get_raw_color_profile_size(job->handle);
    uint8_t *profile = count > 0 && count <= PHOTO_MAX_PROFILE_BYTES ? malloc(count) : NULL;
    color_transform *colors = NULL;
    if (profile != NULL
        && heif_image_handle_get_color_profile_type(job->handle) != heif_color_profile_type_nclx
        && heif_image_handle_get_raw_color_profile(job->handle, profile).code == heif_error_Ok) {
        colors = color_transform_open(profile, count, kind);
    } else if (nclx != NULL && kind == COLOR_RGB && nclx->color_primaries != heif_color_primaries_unspecified) {
        colors = color_transform_open_primaries(
            (color_primaries){nclx->color_primary_white_x, nclx->color_primary_white_y, nclx->color_primary_red_x,
                nclx->color_primary_red_y, nclx->color_primary_green_x, nclx->color_primary_green_y,
                nclx->color_primary_blue_x, nclx->color_primary_blue_y});
    }
    free(profile);
    return colors;
}

static void finish(heif_job *job, bool is_rgb, bool is_gray) {
    // libheif also allocates it when it reports unknown values.
    struct heif_color_profile_nclx *owned = NULL;
    bool is_known = heif_image_get_nclx_color_profile(job->image, &owned).code == heif_error_Ok;
    const struct heif_color_profile_nclx *nclx = is_known ? owned : NULL;
    size_t count = (size_t)job->averager.width * job->averager.height;
    if (!is_rgb) {
        bool is_full = nclx == NULL || nclx->full_range_flag != 0;
        int matrix = nclx == NULL ? heif_matrix_coefficients_unspecified : (int)nclx->matrix_coefficients;
        ycc_to_rgb(job->averager.pixels, count, is_gray ? YCC_GRAY : matrix, is_full);
    }
    color_transform *colors = open_colors(job, is_gray ? COLOR_GRAY : COLOR_RGB, nclx);
    if (colors != NULL) color_transform_apply(colors, job->averager.pixels, count);
    color_transform_close(colors);
    heif_nclx_color_profile_free(owned);
}

static bool shrink(heif_job *job) {
    static const enum heif_channel rgb[] = {heif_channel_R, heif_channel_G, heif_channel_B};
    static const enum heif_channel ycc[] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
    photo_region region = photo_region_of(&job->result, &job->request);
    bool is_rgb = heif_image_get_colorspace(job->image) == heif_colorspace_RGB;
    bool is_gray = heif_image_get_chroma_format(job->image) == heif_chroma_monochrome;
    for (int index = 0; index < (is_gray ? 1 : 3); index++)
        if (!open_plane(job, &job->planes[index], is_rgb ? rgb[index] : ycc[index], region))
            return fail(job, PHOTO_UNSUPPORTED, "its sample format is unusual");
    if (heif_image_has_channel(job->image, heif_channel_Alpha)
        && !open_plane(job, &job->planes[3], heif_channel_Alpha, region))
        return fail(job, PHOTO_UNSUPPORTED, "its alpha format is unusual");

    job->row = malloc((size_t)region.width * COMPONENTS);
    if (job->row == NULL
        || !block_averager_open(&job->averager, region.width, region.height, job->request.working_side, false))
        return fail(job, PHOTO_OUT_OF_MEMORY, "out of memory");
    memset(job->row, 255, (size_t)region.width * COMPONENTS);
    // Averaging before converting to RGB gives the same result, because the conversion is linear.
    for (uint32_t y = 0; y < region.height; y++) {
        for (int index = 0; index < COMPONENTS; index++)
            if (job->planes[index].bytes != NULL)
                take_row(job, &job->planes[index], region.y + y, region.width, job->row + index);
        block_averager_add(&job->averager, job->row, region.width, 0, 1, y);
    }
    block_averager_finish(&job->averager);
    finish(job, is_rgb, is_gray);
    photo_cover(&job->result, region, 1);
    job->result.width = job->averager.width;
    job->result.height = job->averager.height;
    job->result.has_alpha = job->averager.has_alpha;
    job->result.pixels = job->averager.pixels;
    job->averager.pixels = NULL;
    return true;
}

photo_result photo_decode_heif(photo_source source, photo_limits limits, photo_request request) {
    heif_job job = {.source = source, .limits = limits, .request = request};
    if (open_picture(&job) && request.working_side > 0 && decode(&job)) shrink(&job);
    block_averager_close(&job.averager);
    for (int index = 0; index < COMPONENTS; index++) free(job.planes[index].columns);
    free(job.row);
    heif_image_release(job.image);
    heif_decoding_options_free(job.options);
    heif_image_handle_release(job.handle);
    heif_context_free(job.context);
    if (request.working_side > 0) photo_return_memory();
    return job.result;
}
