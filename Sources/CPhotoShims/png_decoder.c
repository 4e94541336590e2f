#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "block_averager.h"
#include "photo_result.h"

enum { MAX_KEPT_CHUNKS = 16, MAX_ALLOCATION = 2 * PHOTO_MAX_PROFILE_BYTES };

/// All state of one decoding. libpng passes its address to every callback.
typedef struct png_job {
    png_structp png;
    png_infop info;
    png_infop end_info;
    jmp_buf escape;
    photo_source source;
    photo_limits limits;
    photo_request request;
    uint64_t offset;
    uint8_t *row;
    color_transform *colors;
    block_averager averager;
    photo_result result;
} png_job;

_Noreturn static void give_up(png_job *job) { longjmp(job->escape, 1); }

_Noreturn static void exit_with_error(png_structp png, png_const_charp text) {
    png_job *job = png_get_error_ptr(png);
    photo_fail(&job->result, strcmp(text, "Out of memory") == 0 ? PHOTO_OUT_OF_MEMORY : PHOTO_CORRUPT, "%s", text);
    give_up(job);
}

static void print_nothing(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

// libpng 1.6.39 only warns about a chunk beyond its limit, and allocates memory for all of it. A row has at most a
// tenth of this limit.
static void *allocate(png_structp png, png_alloc_size_t count) {
    (void)png;
    return count > MAX_ALLOCATION ? NULL : malloc(count);
}

static void release(png_structp png, png_voidp pointer) {
    (void)png;
    free(pointer);
}

static void read_bytes(png_structp png, png_bytep buffer, size_t count) {
    png_job *job = png_get_io_ptr(png);
    ssize_t got = photo_source_read(&job->source, job->offset, buffer, count);
    if (got == (ssize_t)count) {
        job->offset += count;
        return;
    }
    if (got < 0)
        photo_fail(&job->result, PHOTO_UNREADABLE, "%s", strerror((int)-got));
    else
        photo_fail(&job->result, PHOTO_CORRUPT, "the file is truncated");
    give_up(job);
}

// Chunks without effect on the decoded pixels are skipped unread: text may inflate to any size.
static void leave_out_chunks(png_structp png) {
    static const png_byte names[] =
        "bKGD\0cHRM\0gAMA\0hIST\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT\0tEXt\0tIME\0zTXt";
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, names, sizeof names / 5);
}

static void take_exif(png_job *job, png_infop info) {
    png_uint_32 count = 0;
    png_bytep exif = NULL;
    if (job->result.exif != NULL || png_get_eXIf_1(job->png, info, &count, &exif) == 0 || count == 0) return;
    job->result.exif = malloc(count);
    if (job->result.exif == NULL) return;
    memcpy(job->result.exif, exif, count);
    job->result.exif_count = count;
}

// Every pass has every step-th column of the image, beginning with `first`. Inside the region are `count` of them,
// beginning with the `skipped`-th.
static void add_row(png_job *job, photo_region region, uint32_t y, uint32_t first, uint32_t step) {
    uint32_t skipped = first < region.x ? (region.x - first + step - 1) / step : 0;
    uint64_t x = first + (uint64_t)skipped * step;
    if (x >= (uint64_t)region.x + region.width) return;
    uint32_t begin = (uint32_t)x - region.x;
    uint32_t count = (region.width - begin - 1) / step + 1;
    block_averager_add(&job->averager, job->row + (size_t)skipped * 4, count, begin, step, y - region.y);
}

static void read_rows(png_job *job, photo_region region, bool interlaced) {
    uint32_t width = job->result.photo_width, height = job->result.photo_height;
    uint32_t bottom = region.y + region.height;
    for (int pass = 0; interlaced && pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
        for (uint32_t row = 0; PNG_PASS_COLS(width, pass) > 0 && row < PNG_PASS_ROWS(height, pass); row++) {
            png_read_row(job->png, job->row, NULL);
            uint32_t y = PNG_ROW_FROM_PASS_ROW(row, pass);
            if (y < region.y || y >= bottom) continue;
            add_row(job, region, y, PNG_PASS_START_COL(pass), PNG_PASS_COL_OFFSET(pass));
        }
    }
    for (uint32_t y = 0; !interlaced && y < bottom; y++) {
        png_read_row(job->png, job->row, NULL);
        if (y >= region.y) add_row(job, region, y, 0, 1);
    }
    block_averager_finish(&job->averager);
}

/// The profile must be read before the transformations change the header's values.
static void open_colors(png_job *job) {
    png_charp name = NULL;
    int compression = 0;
    png_bytep profile = NULL;
    png_uint_32 count = 0;
    // If both are present, sRGB takes precedence.
    if (png_get_valid(job->png, job->info, PNG_INFO_sRGB) != 0
        || png_get_iCCP(job->png, job->info, &name, &compression, &profile, &count) == 0)
        return;
    bool is_gray = (png_get_color_type(job->png, job->info) & PNG_COLOR_MASK_COLOR) == 0;
    job->colors = color_transform_open(profile, count, is_gray ? COLOR_GRAY : COLOR_RGB);
}

static void read_picture(png_job *job) {
    job->png = png_create_read_struct_2(
        PNG_LIBPNG_VER_STRING, job, exit_with_error, print_nothing, NULL, allocate, release);
    if (job->png != NULL) {
        job->info = png_create_info_struct(job->png);
        job->end_info = png_create_info_struct(job->png);
    }
    if (job->info == NULL || job->end_info == NULL) {
        photo_fail(&job->result, PHOTO_OUT_OF_MEMORY, "out of memory");
        give_up(job);
    }
    png_structp png = job->png;
    png_set_read_fn(png, job, read_bytes);
    // The size is checked below, before any row is allocated: libpng would report a large photo as corrupt.
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(png, PHOTO_MAX_PROFILE_BYTES);
    png_set_chunk_cache_max(png, MAX_KEPT_CHUNKS);
    leave_out_chunks(png);

    png_read_info(png, job->info);
    uint32_t width = png_get_image_width(png, job->info), height = png_get_image_height(png, job->info);
    if (!photo_accept_size(&job->result, &job->limits, width, height)) give_up(job);
    take_exif(job, job->info);
    if (job->request.working_side == 0) return;
    open_colors(job);
    photo_region region = photo_region_of(&job->result, &job->request);
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
    // Without png_set_interlace_handling the passes come one after another, so only the blocks are in memory.
    bool interlaced = png_get_interlace_type(png, job->info) != PNG_INTERLACE_NONE;
    png_read_update_info(png, job->info);
    uint64_t held = block_averager_bytes(region.width, region.height, job->request.working_side, interlaced);
    if (!photo_accept_memory(&job->result, &job->limits, held)) give_up(job);

    job->row = malloc((size_t)width * 4);
    if (job->row == NULL || png_get_rowbytes(png, job->info) != (size_t)width * 4
        || !block_averager_open(
            &job->averager, region.width, region.height, job->request.working_side, interlaced)) {
        photo_fail(&job->result, PHOTO_OUT_OF_MEMORY, "out of memory");
        give_up(job);
    }
    read_rows(job, region, interlaced);
    if (job->colors != NULL)
        color_transform_apply(
            job->colors, job->averager.pixels, (size_t)job->averager.width * job->averager.height);
    photo_cover(&job->result, region, 1);
    job->result.width = job->averager.width;
    job->result.height = job->averager.height;
    job->result.has_alpha = job->averager.has_alpha;
    job->result.pixels = job->averager.pixels;
    job->averager.pixels = NULL;

    png_read_end(png, job->end_info);
    take_exif(job, job->end_info);
}

photo_result photo_decode_png(photo_source source, photo_limits limits, photo_request request) {
    png_job job = {.source = source, .limits = limits, .request = request};
    if (setjmp(job.escape) == 0) {
        read_picture(&job);
    } else if (job.result.pixels != NULL && job.result.status != PHOTO_UNREADABLE) {
        // The image is complete; only data after it is damaged.
        job.result.status = PHOTO_OK;
        job.result.message[0] = 0;
    }
    png_destroy_read_struct(&job.png, &job.info, &job.end_info);
    block_averager_close(&job.averager);
    color_transform_close(job.colors);
    free(job.row);
    return job.result;
}
