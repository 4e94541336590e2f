#include "heif_parts.h"

#include <stdlib.h>
#include <string.h>

/// From here on, a mean hides what the filters of HEVC's blocks would change.
enum { LEAST_ROUGH_FACTOR = 3 };

static const char other_size[] = "the image's size differs from the header's";

static bool decode(heif_job *job, size_t index, heif_part *part) {
    struct heif_image_handle *tile = NULL;
    if (job->is_divided
        && !heif_succeeds(job, heif_context_get_image_handle(job->context, job->tiles.ids[index], &tile)))
        return false;
    // The photo's own transformations are the orientation of the result.
    job->options->ignore_transformations = !job->is_divided && job->result.orientation > 0;
    // libheif 1.15 converts to red, green and blue at full size; another request would be a second conversion.
    struct heif_image_handle *whole = job->thumbnail != NULL ? job->thumbnail : job->handle;
    bool is_decoded = heif_succeeds(job, heif_decode_image(job->is_divided ? tile : whole, &part->image,
                                        heif_colorspace_undefined, heif_chroma_undefined, job->options));
    heif_image_handle_release(tile);
    if (!is_decoded) return false;
    if (heif_image_get_primary_width(part->image) == (int)job->part_width
        && heif_image_get_primary_height(part->image) == (int)job->part_height)
        return true;
    return heif_fail(job, PHOTO_CORRUPT, other_size);
}

/// Finds a component's samples; false if there are none.
static bool find_samples(const heif_part *part, bool is_rgb, int component, heif_plane *plane) {
    static const enum heif_channel rgb[] = {heif_channel_R, heif_channel_G, heif_channel_B, heif_channel_Alpha};
    static const enum heif_channel ycc[] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr, heif_channel_Alpha};
    enum heif_channel channel = is_rgb ? rgb[component] : ycc[component];
    if (part->coded != NULL) {
        plane->bytes = de265_get_image_plane(part->coded, component, &plane->stride);
        plane->width = de265_get_image_width(part->coded, component);
        plane->height = de265_get_image_height(part->coded, component);
        plane->bits = de265_get_bits_per_pixel(part->coded, component);
    } else {
        plane->bytes = heif_image_get_plane_readonly(part->image, channel, &plane->stride);
        plane->width = heif_image_get_width(part->image, channel);
        plane->height = heif_image_get_height(part->image, channel);
        plane->bits = heif_image_get_bits_per_pixel_range(part->image, channel);
    }
    return plane->bytes != NULL && plane->width > 0 && plane->height > 0 && plane->bits >= 8 && plane->bits <= 16;
}

/// The colors that the coded image says it has; NULL if unknown.
static struct heif_color_profile_nclx *coded_colors(const struct de265_image *image) {
    struct heif_color_profile_nclx *nclx = heif_nclx_color_profile_alloc();
    if (nclx == NULL) return NULL;
    nclx->full_range_flag = de265_get_image_full_range_flag(image) != 0;
    if (heif_nclx_color_profile_set_color_primaries(nclx, (uint16_t)de265_get_image_colour_primaries(image)).code
            == heif_error_Ok
        && heif_nclx_color_profile_set_transfer_characteristics(
               nclx, (uint16_t)de265_get_image_transfer_characteristics(image)).code == heif_error_Ok
        && heif_nclx_color_profile_set_matrix_coefficients(
               nclx, (uint16_t)de265_get_image_matrix_coefficients(image)).code == heif_error_Ok)
        return nclx;
    heif_nclx_color_profile_free(nclx);
    return NULL;
}

static void read_colors(heif_job *job, const heif_part *part) {
    job->has_colors = true;
    if (part->coded != NULL) {
        job->is_gray = de265_get_chroma_format(part->coded) == de265_chroma_mono;
    } else {
        job->is_rgb = heif_image_get_colorspace(part->image) == heif_colorspace_RGB;
        job->is_gray = heif_image_get_chroma_format(part->image) == heif_chroma_monochrome;
    }
    // The container's is that of all parts; without it, the coded image may have one.
    for (int attempt = 0; attempt < 2 && job->nclx == NULL; attempt++) {
        if (attempt == 1 && part->coded != NULL) {
            job->nclx = coded_colors(part->coded);
            break;
        }
        struct heif_error error = attempt == 0
            ? heif_image_handle_get_nclx_color_profile(job->handle, &job->nclx)
            : heif_image_get_nclx_color_profile(part->image, &job->nclx);
        if (error.code == heif_error_Ok) break;
        // libheif also allocates it when it reports unknown values.
        heif_nclx_color_profile_free(job->nclx);
        job->nclx = NULL;
    }
    if (job->nclx != NULL) transfer_curve_open(&job->curve, (int)job->nclx->transfer_characteristics);
}

/// Decodes a row's tiles without libheif.
static bool decode_tiles(heif_job *job, uint32_t row) {
    for (uint32_t column = 0; column < job->columns; column++)
        job->row_places[column]
            = job->parts[column].count > 0 ? &job->tiles.places[(size_t)row * job->columns + column] : NULL;
    bool is_rough = job->averager.factor >= LEAST_ROUGH_FACTOR;
    hevc_tiles_decode(
        &job->view, job->tiles.configuration, job->row_places, job->row_tiles, job->columns, is_rough);
    for (uint32_t column = 0; column < job->columns; column++) {
        const hevc_tile *tile = &job->row_tiles[column];
        if (job->parts[column].count == 0) continue;
        if (tile->read_error != 0) return heif_fail(job, PHOTO_UNREADABLE, strerror(tile->read_error));
        if (tile->image == NULL) return heif_fail(job, PHOTO_CORRUPT, tile->reason);
        if (de265_get_image_width(tile->image, 0) != (int)job->part_width
            || de265_get_image_height(tile->image, 0) != (int)job->part_height)
            return heif_fail(job, PHOTO_CORRUPT, other_size);
        job->parts[column].coded = tile->image;
    }
    return true;
}

static bool open_planes(heif_job *job, heif_part *part) {
    for (int component = 0; component < (job->is_gray ? 1 : 3); component++)
        if (!find_samples(part, job->is_rgb, component, &part->planes[component]))
            return heif_fail(job, PHOTO_UNSUPPORTED, "its sample format is unusual");
    if (part->coded == NULL && heif_image_has_channel(part->image, heif_channel_Alpha)
        && !find_samples(part, job->is_rgb, ALPHA, &part->planes[ALPHA]))
        return heif_fail(job, PHOTO_UNSUPPORTED, "its alpha format is unusual");
    for (int component = 0; component < COMPONENTS; component++) {
        heif_plane *plane = &part->planes[component];
        plane->line = malloc((size_t)plane->width + 1);
        plane->sums = calloc(part->count, sizeof *plane->sums);
        if (plane->line == NULL || plane->sums == NULL) return heif_fail(job, PHOTO_OUT_OF_MEMORY, "out of memory");
    }
    return true;
}

/// Whether the result needs the part: it touches the region, and a needed cell of the request's grid.
static bool is_needed(const heif_job *job, uint32_t row, uint32_t column) {
    const photo_request *request = &job->request;
    if (request->needed == NULL || job->thumbnail != NULL) return true;
    uint64_t left = (uint64_t)column * job->part_width, top = (uint64_t)row * job->part_height;
    uint64_t right = left + job->part_width - 1, bottom = top + job->part_height - 1;
    uint64_t width = job->result.photo_width, height = job->result.photo_height;
    uint64_t columns = request->needed_columns, rows = request->needed_rows;
    // The last tiles may reach beyond the photo.
    for (uint64_t y = top * rows / height; y <= bottom * rows / height && y < rows; y++)
        for (uint64_t x = left * columns / width; x <= right * columns / width && x < columns; x++)
            if (request->needed[y * columns + x] != 0) return true;
    return false;
}

bool heif_open_parts(heif_job *job, uint32_t row, photo_region region) {
    uint64_t right = (uint64_t)region.x + region.width;
    for (uint32_t column = 0; column < job->columns; column++) {
        uint64_t begin = (uint64_t)column * job->part_width, end = begin + job->part_width;
        uint64_t first = begin > region.x ? begin : region.x, last = end < right ? end : right;
        if (first >= last || !is_needed(job, row, column)) continue;
        job->parts[column].first = (uint32_t)(first - begin);
        job->parts[column].x = (uint32_t)(first - region.x);
        job->parts[column].count = (uint32_t)(last - first);
    }
    bool is_plain = job->tiles.places != NULL && job->is_divided;
    if (is_plain && !decode_tiles(job, row)) return false;
    for (uint32_t column = 0; column < job->columns; column++) {
        heif_part *part = &job->parts[column];
        if (part->count == 0) continue;
        if (!is_plain && !decode(job, (size_t)row * job->columns + column, part)) return false;
        // The first part's answer is that of all.
        if (!job->has_colors) read_colors(job, part);
        if (!open_planes(job, part)) return false;
    }
    return true;
}

void heif_close_parts(heif_job *job) {
    for (uint32_t column = 0; job->parts != NULL && job->row_tiles != NULL && column < job->columns; column++) {
        heif_part *part = &job->parts[column];
        for (int component = 0; component < COMPONENTS; component++) {
            free(part->planes[component].line);
            free(part->planes[component].sums);
        }
        heif_image_release(part->image);
        hevc_tile_close(&job->row_tiles[column]);
        *part = (heif_part){0};
    }
}

// MARK: Sums

/// How many pixels share a sample along a side: two do with chroma at half the size, rounded up.
static uint32_t share(uint32_t pixels, int samples) { return (pixels + (uint32_t)samples - 1) / (uint32_t)samples; }

/// A line of a plane as bytes: its own, or those of its buffer, until the next call.
static const uint8_t *samples_of(const heif_job *job, const heif_part *part, int component, uint32_t y) {
    const heif_plane *plane = &part->planes[component];
    const uint8_t *bytes = plane->bytes + (size_t)(y / share(job->part_height, plane->height)) * (size_t)plane->stride;
    bool is_curved = component != ALPHA && job->is_rgb && job->curve.values != NULL;
    if (plane->bits == 8 && !is_curved) return bytes;
    uint32_t limit = (1u << plane->bits) - 1, half = limit / 2;
    for (int x = 0; x < plane->width; x++) {
        if (plane->bits == 8) {
            plane->line[x] = transfer_curve_of_byte(&job->curve, bytes[x]);
            continue;
        }
        uint16_t stored;
        memcpy(&stored, bytes + (size_t)x * sizeof stored, sizeof stored);
        uint32_t sample = stored < limit ? stored : limit;
        plane->line[x] = is_curved
            ? transfer_curve_of_word(&job->curve, (uint16_t)((sample * UINT16_MAX + half) / limit))
            : (uint8_t)((sample * 255 + half) / limit);
    }
    return plane->line;
}

void heif_add_line(const heif_job *job, const heif_part *part, uint32_t y) {
    const heif_plane *alpha = &part->planes[ALPHA];
    const uint8_t *weights = alpha->bytes != NULL ? samples_of(job, part, ALPHA, y) : NULL;
    const uint32_t first = part->first, count = part->count;
    for (int component = 0; component < ALPHA; component++) {
        const heif_plane *plane = &part->planes[component];
        if (plane->bytes == NULL) continue;
        const uint8_t *samples = samples_of(job, part, component, y);
        const uint32_t across = share(job->part_width, plane->width);
        if (weights == NULL) {
            size_t begin = first / across, end = (first + count - 1) / across + 1;
            for (size_t index = begin; index < end; index++) plane->sums[index - begin] += samples[index];
        } else {
            const uint32_t alpha_across = share(job->part_width, alpha->width);
            for (uint32_t x = 0; x < count; x++)
                plane->sums[x] += (uint32_t)samples[(first + x) / across] * weights[(first + x) / alpha_across];
        }
    }
    if (weights == NULL) {
        alpha->sums[0] += UINT8_MAX;
    } else {
        const uint32_t alpha_across = share(job->part_width, alpha->width);
        for (uint32_t x = 0; x < count; x++) alpha->sums[x] += weights[(first + x) / alpha_across];
    }
}

void heif_add_sums(heif_job *job, const heif_part *part) {
    const bool is_opaque = part->planes[ALPHA].bytes == NULL;
    for (int component = 0; component < COMPONENTS; component++) {
        const heif_plane *plane = &part->planes[component];
        if (plane->bytes == NULL && component != ALPHA) continue;
        block_columns columns = {.sums = plane->sums, .share = 1, .x = part->x, .count = part->count, .weight = 1};
        if (is_opaque && component == ALPHA) columns.share = UINT32_MAX;
        if (is_opaque && component != ALPHA) {
            columns.share = share(job->part_width, plane->width);
            columns.first = part->first % columns.share;
            columns.weight = UINT8_MAX;
        }
        block_averager_add_columns(&job->averager, component, columns);
        memset(plane->sums, 0, (size_t)part->count * sizeof *plane->sums);
    }
}
