#include "heif_parts.h"

#include <stdlib.h>
#include <string.h>

#include "heif_items.h"
#include "ycc_colors.h"

// MARK: Input

static int64_t position_of(void *job) { return (int64_t)((heif_job *)job)->position; }

static int read_bytes(void *buffer, size_t count, void *userdata) {
    heif_job *job = userdata;
    ssize_t got = heif_view_read(&job->view, job->position, buffer, count);
    if (got < 0) job->read_error = (int)-got;
    if (got != (ssize_t)count) return 1;
    job->position += count;
    return 0;
}

static int seek(int64_t position, void *userdata) {
    heif_job *job = userdata;
    if (position < 0 || (uint64_t)position > heif_view_count(&job->view)) return 1;
    job->position = (uint64_t)position;
    return 0;
}

static enum heif_reader_grow_status wait_for_size(int64_t target, void *userdata) {
    heif_job *job = userdata;
    return target >= 0 && (uint64_t)target <= heif_view_count(&job->view) ? heif_reader_grow_status_size_reached
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

bool heif_fail(heif_job *job, photo_status status, const char *reason) {
    photo_fail(&job->result, status, "%s", reason);
    return false;
}

bool heif_succeeds(heif_job *job, struct heif_error error) {
    if (error.code == heif_error_Ok) return true;
    if (job->read_error != 0) return heif_fail(job, PHOTO_UNREADABLE, strerror(job->read_error));
    switch (error.code) {
    case heif_error_Unsupported_filetype:
    case heif_error_Unsupported_feature: return heif_fail(job, PHOTO_UNSUPPORTED, error.message);
    case heif_error_Memory_allocation_error: return heif_fail(job, PHOTO_OVER_MEMORY, error.message);
    default: return heif_fail(job, PHOTO_CORRUPT, error.message);
    }
}

void photo_codecs_prepare(void) {
    heif_init(NULL);
    // Its tables are kept then, instead of built for each tile.
    de265_init();
}

// MARK: Header

/// Divides the photo into its tiles. Otherwise libheif has to put them together, in memory as a whole.
static void divide(heif_job *job, uint32_t width, uint32_t height, bool is_stored) {
    struct heif_image_handle *first = NULL;
    job->columns = job->rows = 1;
    job->part_width = width;
    job->part_height = height;
    if (!is_stored || job->tiles.ids == NULL
        || heif_context_get_image_handle(job->context, job->tiles.ids[0], &first).code != heif_error_Ok)
        return;
    uint64_t side = (uint32_t)heif_image_handle_get_width(first), other = (uint32_t)heif_image_handle_get_height(first);
    uint32_t columns = job->tiles.columns, rows = job->tiles.rows;
    heif_image_handle_release(first);
    // A grid without a superfluous row or column of tiles (ISO/IEC 23008-12, 6.6.2.3.1).
    if (side * columns < width || side * (columns - 1) >= width || other * rows < height || other * (rows - 1) >= height)
        return;
    job->is_divided = true;
    job->columns = columns;
    job->rows = rows;
    job->part_width = (uint32_t)side;
    job->part_height = (uint32_t)other;
}

/// Takes the photo's thumbnail in its place if it is large enough and like it: turned alike, with sides in the same
/// proportion, up to a rounded pixel.
static bool use_thumbnail(heif_job *job, uint32_t photo_width, uint32_t photo_height) {
    enum { MAX_THUMBNAILS = 4 };
    heif_item_id ids[MAX_THUMBNAILS];
    int count = heif_image_handle_get_list_of_thumbnail_IDs(job->handle, ids, MAX_THUMBNAILS);
    for (int index = 0; index < count; index++) {
        struct heif_image_handle *found = NULL;
        if (heif_tiles_orientation(&job->view, ids[index]) != job->tiles.orientation
            || heif_image_handle_get_thumbnail(job->handle, ids[index], &found).code != heif_error_Ok)
            continue;
        int64_t width = heif_image_handle_get_ispe_width(found), height = heif_image_handle_get_ispe_height(found);
        int64_t longer = width > height ? width : height;
        int64_t photo_longer = photo_width > photo_height ? photo_width : photo_height;
        if (width > 0 && height > 0 && longer >= job->request.thumbnail_side
            && longer < 2 * (int64_t)job->request.working_side && longer < photo_longer
            && llabs(width * photo_height - height * photo_width) <= photo_longer) {
            job->thumbnail = found;
            job->columns = job->rows = 1;
            job->part_width = (uint32_t)width;
            job->part_height = (uint32_t)height;
            return job->result.is_thumbnail = true;
        }
        heif_image_handle_release(found);
    }
    return false;
}

/// The bytes that decoding takes, measured with 8 bits. libheif has an image of red, green and blue; beside it,
/// libde265 and dav1d with one thread use twice as much for one part.
static uint64_t needed_memory(const heif_job *job) {
    uint64_t part = (uint64_t)job->part_width * job->part_height;
    bool is_joined = job->tiles.is_tiled && !job->is_divided;
    uint64_t bytes = is_joined ? part * 3 : part * (3 * (uint64_t)job->columns + 3);
    if (heif_image_handle_has_alpha_channel(job->handle)) bytes += 2 * part;
    return heif_image_handle_get_luma_bits_per_pixel(job->handle) > 8 ? 2 * bytes : bytes;
}

static bool open_picture(heif_job *job) {
    if (heif_has_too_many_parts(job->view.meta)) return heif_fail(job, PHOTO_UNSUPPORTED, "it has too many parts");
    job->context = heif_context_alloc();
    if (job->context == NULL) return heif_fail(job, PHOTO_OUT_OF_MEMORY, "out of memory");
    // One photo per core: tiles are decoded in this thread, one after another.
    heif_context_set_max_decoding_threads(job->context, 0);
    job->tiles = heif_read_tiles(&job->view);
    if (job->tiles.has_cycle)
        return heif_fail(job, PHOTO_CORRUPT, "its images refer to each other in a cycle, or too deeply");
    if (job->tiles.ends_in_zeros) return heif_fail(job, PHOTO_CORRUPT, "the file is truncated");
    if (!heif_succeeds(job, heif_context_read_from_reader(job->context, &reader, job, NULL))
        || !heif_succeeds(job, heif_context_get_primary_image_handle(job->context, &job->handle))) {
        if (job->tiles.is_unknown && job->result.status == PHOTO_CORRUPT) job->result.status = PHOTO_UNSUPPORTED;
        return false;
    }
    // libheif would need a second image to turn the first. It turns alpha in any case.
    bool is_stored = job->tiles.orientation > 0 && !heif_image_handle_has_alpha_channel(job->handle);
    if (is_stored) job->result.orientation = job->tiles.orientation;
    int width = is_stored ? heif_image_handle_get_ispe_width(job->handle) : heif_image_handle_get_width(job->handle);
    int height = is_stored ? heif_image_handle_get_ispe_height(job->handle) : heif_image_handle_get_height(job->handle);
    if (width <= 0 || height <= 0) return heif_fail(job, PHOTO_CORRUPT, "it has no size");
    if (!photo_accept_size(&job->result, &job->limits, (uint32_t)width, (uint32_t)height)) return false;
    if (job->request.thumbnail_side == 0 || !is_stored || !use_thumbnail(job, (uint32_t)width, (uint32_t)height))
        divide(job, (uint32_t)width, (uint32_t)height, is_stored);
    return photo_accept_memory(&job->result, &job->limits, needed_memory(job));
}

// MARK: Pixels

static color_transform *open_colors(heif_job *job, color_kind kind) {
    const struct heif_color_profile_nclx *nclx = job->nclx;
    size_t count = heif_image_handle_get_raw_color_profile_size(job->handle);
    uint8_t *profile = count > 0 && count <= PHOTO_MAX_PROFILE_BYTES ? malloc(count) : NULL;
    color_transform *colors = NULL;
    // A curve has been applied already, and a profile has one of its own.
    if (profile != NULL && job->curve.values == NULL
        && heif_image_handle_get_color_profile_type(job->handle) != heif_color_profile_type_nclx
        && heif_image_handle_get_raw_color_profile(job->handle, profile).code == heif_error_Ok) {
        colors = color_transform_open(profile, count, kind);
    } else if (nclx != NULL && kind == COLOR_RGB && nclx->color_primaries != heif_color_primaries_unspecified) {
        colors = color_transform_open_primaries(
            (color_primaries){nclx->color_primary_white_x, nclx->color_primary_white_y, nclx->color_primary_red_x,
                nclx->color_primary_red_y, nclx->color_primary_green_x, nclx->color_primary_green_y,
                nclx->color_primary_blue_x, nclx->color_primary_blue_y},
            0);
    }
    free(profile);
    return colors;
}

static void convert_colors(heif_job *job) {
    size_t count = (size_t)job->averager.width * job->averager.height;
    if (!job->is_rgb) {
        bool is_full = job->nclx == NULL || job->nclx->full_range_flag != 0;
        int matrix = job->nclx == NULL ? heif_matrix_coefficients_unspecified : (int)job->nclx->matrix_coefficients;
        ycc_to_rgb(job->averager.pixels, count, job->is_gray ? YCC_GRAY : matrix, is_full);
        for (size_t index = 0; job->curve.values != NULL && index < count * COMPONENTS; index++)
            if (index % COMPONENTS < 3)
                job->averager.pixels[index] = transfer_curve_of_byte(&job->curve, job->averager.pixels[index]);
    }
    color_transform *colors = open_colors(job, job->is_gray ? COLOR_GRAY : COLOR_RGB);
    if (colors != NULL) color_transform_apply(colors, job->averager.pixels, count);
    color_transform_close(colors);
}

/// Decodes row by row of parts. Averaging before converting to RGB gives the same result, because the conversion is
/// linear.
static bool shrink(heif_job *job) {
    photo_region covered = photo_region_of(&job->result, &job->request), region = covered;
    if (job->thumbnail != NULL) region = (photo_region){.width = job->part_width, .height = job->part_height};
    uint32_t bottom = region.y + region.height;
    job->options = heif_decoding_options_alloc();
    job->parts = calloc(job->columns, sizeof *job->parts);
    job->row_tiles = calloc(job->columns, sizeof *job->row_tiles);
    job->row_places = calloc(job->columns, sizeof *job->row_places);
    if (job->options == NULL || job->parts == NULL || job->row_tiles == NULL || job->row_places == NULL
        || !block_averager_open(&job->averager, region.width, region.height, job->request.working_side, false))
        return heif_fail(job, PHOTO_OUT_OF_MEMORY, "out of memory");
    for (uint32_t y = region.y; y < bottom;) {
        uint32_t row = y / job->part_height, top = row * job->part_height;
        uint32_t end = bottom - top < job->part_height ? bottom : top + job->part_height;
        if (!heif_open_parts(job, row, region)) return false;
        for (; y < end; y++) {
            bool is_last = y + 1 == end || block_averager_is_last_row(&job->averager, y - region.y);
            for (uint32_t column = 0; column < job->columns; column++) {
                if (job->parts[column].count == 0) continue;
                heif_add_line(job, &job->parts[column], y - top);
                if (is_last) heif_add_sums(job, &job->parts[column]);
            }
            block_averager_end_row(&job->averager, y - region.y);
        }
        heif_close_parts(job);
    }
    block_averager_finish(&job->averager);
    convert_colors(job);
    photo_cover(&job->result, covered, 1);
    job->result.width = job->averager.width;
    job->result.height = job->averager.height;
    job->result.has_alpha = job->averager.has_alpha;
    job->result.pixels = job->averager.pixels;
    job->averager.pixels = NULL;
    return true;
}

static photo_result decode(photo_source source, photo_limits limits, photo_request request) {
    heif_job job = {.view = heif_view_open(&source), .limits = limits, .request = request};
    if (open_picture(&job) && request.working_side > 0) shrink(&job);
    block_averager_close(&job.averager);
    heif_close_parts(&job);
    free(job.parts);
    free(job.row_tiles);
    free(job.row_places);
    transfer_curve_close(&job.curve);
    heif_nclx_color_profile_free(job.nclx);
    heif_tiles_close(&job.tiles);
    heif_decoding_options_free(job.options);
    heif_image_handle_release(job.thumbnail);
    heif_image_handle_release(job.handle);
    heif_context_free(job.context);
    heif_view_close(&job.view);
    if (request.working_side > 0) photo_return_memory();
    return job.result;
}

photo_result photo_decode_heif(photo_source source, photo_limits limits, photo_request request) {
    photo_result result = decode(source, limits, request);
    if (result.status == PHOTO_OK || !result.is_thumbnail) return result;
    // What is wrong with a thumbnail says nothing of the photo.
    photo_result_free(&result);
    request.thumbnail_side = 0;
    return decode(source, limits, request);
}
