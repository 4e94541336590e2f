#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "block_averager.h"
#include "photo_result.h"
#include "transfer_curve.h"

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
    transfer_curve curve;
    /// Whether `row` has 16 bits a sample, for the curve.
    bool is_wide;
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
        "bKGD\0hIST\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT\0tEXt\0tIME\0zTXt";
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, names, sizeof names / 5);
    // libpng 1.6.39 does not know it.
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, (png_const_bytep) "cICP", 1);
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

static void read_row(png_job *job, uint32_t count) {
    png_read_row(job->png, job->row, NULL);
    for (size_t index = 0; job->curve.values != NULL && index < (size_t)count * 4; index++) {
        bool is_alpha = index % 4 == 3;
        if (!job->is_wide && !is_alpha) job->row[index] = transfer_curve_of_byte(&job->curve, job->row[index]);
        if (!job->is_wide) continue;
        const uint8_t *word = job->row + 2 * index;
        uint16_t sample = (uint16_t)(word[0] << 8 | word[1]);
        job->row[index] = is_alpha ? word[0] : transfer_curve_of_word(&job->curve, sample);
    }
}

static void read_rows(png_job *job, photo_region region, bool interlaced) {
    uint32_t width = job->result.photo_width, height = job->result.photo_height;
    uint32_t bottom = region.y + region.height;
    for (int pass = 0; interlaced && pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
        for (uint32_t row = 0; PNG_PASS_COLS(width, pass) > 0 && row < PNG_PASS_ROWS(height, pass); row++) {
            read_row(job, PNG_PASS_COLS(width, pass));
            uint32_t y = PNG_ROW_FROM_PASS_ROW(row, pass);
            if (y < region.y || y >= bottom) continue;
            add_row(job, region, y, PNG_PASS_START_COL(pass), PNG_PASS_COL_OFFSET(pass));
        }
    }
    for (uint32_t y = 0; !interlaced && y < bottom; y++) {
        read_row(job, width);
        if (y >= region.y) add_row(job, region, y, 0, 1);
    }
    block_averager_finish(&job->averager);
}

/// Looks for cICP (PNG, third edition, 11.3.2.6): numbers of ITU-T H.273 for primaries and transfer function.
static bool open_coded_colors(png_job *job) {
    png_unknown_chunkp chunks = NULL;
    int count = png_get_unknown_chunks(job->png, job->info, &chunks);
    for (int index = 0; index < count; index++) {
        if (memcmp(chunks[index].name, "cICP", 4) != 0 || chunks[index].size != 4) continue;
        enum { LINEAR = 8, GAMMA_22 = 4, GAMMA_28 = 5 };
        int transfer = chunks[index].data[1];
        double gamma = transfer == LINEAR ? 1 : transfer == GAMMA_22 ? 2.2 : transfer == GAMMA_28 ? 2.8 : 0;
        transfer_curve_open(&job->curve, transfer);
        job->colors = color_transform_open_primaries(color_primaries_of(chunks[index].data[0]), gamma);
        return true;
    }
    return false;
}

/// cHRM and gAMA, as browsers use them.
static void open_measured_colors(png_job *job, bool is_gray) {
    // What writers call sRGB, within their rounding.
    static const double usual = .45455, tolerance = .005;
    double gamma = usual, numbers[8];
    bool has_gamma = png_get_gAMA(job->png, job->info, &gamma) != 0 && gamma > .1 && gamma < 10;
    color_primaries primaries = color_primaries_of(1);
    bool has_primaries = !is_gray
        && png_get_cHRM(job->png, job->info, &numbers[0], &numbers[1], &numbers[2], &numbers[3], &numbers[4], &numbers[5],
               &numbers[6], &numbers[7]) != 0;
    if (has_primaries)
        primaries = (color_primaries){(float)numbers[0], (float)numbers[1], (float)numbers[2], (float)numbers[3],
            (float)numbers[4], (float)numbers[5], (float)numbers[6], (float)numbers[7]};
    bool is_usual = !has_gamma || (gamma > usual - tolerance && gamma < usual + tolerance);
    if (has_primaries || !is_usual) job->colors = color_transform_open_primaries(primaries, is_usual ? 0 : 1 / gamma);
}

/// The profile must be read before the transformations change the header's values.
static void open_colors(png_job *job) {
    png_charp name = NULL;
    int compression = 0;
    png_bytep profile = NULL;
    png_uint_32 count = 0;
    bool is_gray = (png_get_color_type(job->png, job->info) & PNG_COLOR_MASK_COLOR) == 0;
    // In this order, if there are several (PNG, third edition, 12.1); but a profile beside sRGB is the same.
    if (open_coded_colors(job) || png_get_valid(job->png, job->info, PNG_INFO_sRGB) != 0) return;
    if (png_get_iCCP(job->png, job->info, &name, &compression, &profile, &count) != 0)
        job->colors = color_transform_open(profile, count, is_gray ? COLOR_GRAY : COLOR_RGB);
    else
        open_measured_colors(job, is_gray);
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
    job->is_wide = job->curve.values != NULL && png_get_bit_depth(png, job->info) == 16;
    if (!job->is_wide) png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xFFFF, PNG_FILLER_AFTER);
    // Without png_set_interlace_handling the passes come one after another, so only the blocks are in memory.
    bool interlaced = png_get_interlace_type(png, job->info) != PNG_INTERLACE_NONE;
    png_read_update_info(png, job->info);
    uint64_t held = block_averager_bytes(region.width, region.height, job->request.working_side, interlaced);
    if (!photo_accept_memory(&job->result, &job->limits, held)) give_up(job);

    size_t row_count = (size_t)width * (job->is_wide ? 8 : 4);
    job->row = malloc(row_count);
    if (job->row == NULL || png_get_rowbytes(png, job->info) != row_count
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
    transfer_curve_close(&job.curve);
    free(job.row);
    return job.result;
}
