#include "heif_parts.h"

#include <stdlib.h>
#include <string.h>

static bool decode(heif_job *job, size_t index, heif_part *part) {
    bool is_whole = job->columns == 1 && job->rows == 1;
    struct heif_image_handle *tile = NULL;
    if (!is_whole && !heif_succeeds(job, heif_context_get_image_handle(job->context, job->tiles.ids[index], &tile))) return false;
    // The photo's own transformations are the orientation of the result.
    job->options->ignore_transformations = is_whole && job->result.orientation > 0;
    // libheif 1.15 converts to red, green and blue at full size; another request would be a second conversion.
    bool is_decoded = heif_succeeds(job, heif_decode_image(is_whole ? job->handle : tile, &part->image,
                                        heif_colorspace_undefined, heif_chroma_undefined, job->options));
    heif_image_handle_release(tile);
    if (!is_decoded) return false;
    if (heif_image_get_primary_width(part->image) == (int)job->part_width
        && heif_image_get_primary_height(part->image) == (int)job->part_height)
        return true;
    return heif_fail(job, PHOTO_CORRUPT, "the image's size differs from the header's");
}

/// `x` is the first column of the part that is needed.
static bool open_plane(const heif_job *job, heif_part *part, heif_plane *plane, enum heif_channel channel, uint32_t x) {
    plane->bytes = heif_image_get_plane_readonly(part->image, channel, &plane->stride);
    plane->width = heif_image_get_width(part->image, channel);
    plane->height = heif_image_get_height(part->image, channel);
    plane->bits = heif_image_get_bits_per_pixel_range(part->image, channel);
    if (plane->bytes == NULL || plane->width <= 0 || plane->height <= 0 || plane->bits < 8 || plane->bits > 16)
        return false;
    plane->columns = malloc(part->count * sizeof *plane->columns);
    if (plane->columns == NULL) return false;
    uint64_t width_in_plane = (uint64_t)plane->width;
    // Two columns share one of chroma at half the width, rounded up.
    uint64_t share = (job->part_width + width_in_plane - 1) / width_in_plane;
    for (uint32_t column = 0; column < part->count; column++) {
        uint64_t in_plane = (x + column) / share;
        plane->columns[column] = (uint32_t)(in_plane < width_in_plane ? in_plane : width_in_plane - 1);
    }
    return true;
}

static void read_colors(heif_job *job, const heif_part *part) {
    job->is_rgb = heif_image_get_colorspace(part->image) == heif_colorspace_RGB;
    job->is_gray = heif_image_get_chroma_format(part->image) == heif_chroma_monochrome;
    // The container's is that of all parts; without it, the coded image may have one.
    for (int attempt = 0; attempt < 2 && job->nclx == NULL; attempt++) {
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

bool heif_open_part(heif_job *job, uint32_t row, uint32_t column, photo_region region) {
    static const enum heif_channel rgb[] = {heif_channel_R, heif_channel_G, heif_channel_B};
    static const enum heif_channel ycc[] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
    heif_part *part = &job->parts[column];
    uint64_t begin = (uint64_t)column * job->part_width, end = begin + job->part_width;
    uint64_t first = begin > region.x ? begin : region.x, last = (uint64_t)region.x + region.width;
    if (end < last) last = end;
    if (first >= last) return true;
    part->x = (uint32_t)(first - region.x);
    part->count = (uint32_t)(last - first);
    if (!decode(job, (size_t)row * job->columns + column, part)) return false;
    // The first part's answer is that of all.
    if (job->row == NULL) {
        read_colors(job, part);
        job->row = malloc((size_t)region.width * COMPONENTS);
        if (job->row == NULL) return heif_fail(job, PHOTO_OUT_OF_MEMORY, "out of memory");
        memset(job->row, 255, (size_t)region.width * COMPONENTS);
    }
    for (int index = 0; index < (job->is_gray ? 1 : 3); index++)
        if (!open_plane(job, part, &part->planes[index], job->is_rgb ? rgb[index] : ycc[index], (uint32_t)(first - begin)))
            return heif_fail(job, PHOTO_UNSUPPORTED, "its sample format is unusual");
    if (heif_image_has_channel(part->image, heif_channel_Alpha)
        && !open_plane(job, part, &part->planes[3], heif_channel_Alpha, (uint32_t)(first - begin)))
        return heif_fail(job, PHOTO_UNSUPPORTED, "its alpha format is unusual");
    return true;
}

void heif_close_parts(heif_job *job) {
    for (uint32_t column = 0; job->parts != NULL && column < job->columns; column++) {
        heif_part *part = &job->parts[column];
        for (int index = 0; index < COMPONENTS; index++) free(part->planes[index].columns);
        heif_image_release(part->image);
        *part = (heif_part){0};
    }
}

void heif_take_line(const heif_job *job, const heif_part *part, int component, uint32_t y) {
    const heif_plane *plane = &part->planes[component];
    uint8_t *output = job->row + (size_t)part->x * COMPONENTS + component;
    uint32_t share = (job->part_height + (uint32_t)plane->height - 1) / (uint32_t)plane->height;
    uint32_t line = y / share < (uint32_t)plane->height ? y / share : (uint32_t)plane->height - 1;
    const uint8_t *bytes = plane->bytes + (size_t)line * (size_t)plane->stride;
    bool is_curved = component < 3 && job->is_rgb && job->curve.values != NULL;
    if (plane->bits == 8) {
        for (uint32_t x = 0; x < part->count; x++) {
            uint8_t sample = bytes[plane->columns[x]];
            output[x * COMPONENTS] = is_curved ? transfer_curve_of_byte(&job->curve, sample) : sample;
        }
        return;
    }
    uint32_t limit = (1u << plane->bits) - 1, half = limit / 2;
    for (uint32_t x = 0; x < part->count; x++) {
        uint16_t stored;
        memcpy(&stored, bytes + (size_t)plane->columns[x] * sizeof stored, sizeof stored);
        uint32_t sample = stored < limit ? stored : limit;
        output[x * COMPONENTS] = is_curved
            ? transfer_curve_of_word(&job->curve, (uint16_t)((sample * UINT16_MAX + half) / limit))
            : (uint8_t)((sample * 255 + half) / limit);
    }
}
