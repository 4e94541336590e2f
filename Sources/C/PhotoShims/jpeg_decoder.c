#include <CLinuxShims.h>
#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jpeg_coefficients.h"
#include "jpeg_huffman.h"
#include "jpeg_messages.h"
#include "jpeg_scans.h"

enum {
    BUFFER_SIZE = 64 * 1024,
    /// libjpeg-turbo does not notice codes that are in no table if it has at least 512 bytes for each block (jdhuff.c,
    /// decode_mcu).
    SLICE_SIZE = 511,
};

// MARK: Messages

static void print_nothing(j_common_ptr info) { (void)info; }

// A file of a few kilobytes may have thousands of empty scans, each of which costs a pass over the whole image. libjpeg
// calls this before each step of a scan and before each row.
static void watch_progress(j_common_ptr info) {
    linux_yield_if_due();
    jpeg_job *job = job_of(info);
    if (jpeg_has_multiple_scans(&job->info)) jpeg_scans_skip_unused(job);
    if (job->info.input_scan_number <= (int)job->limits.max_scans) return;
    photo_fail(&job->result, PHOTO_OVER_LIMIT, "more than %u scans", job->limits.max_scans);
    jpeg_give_up(job);
}

// MARK: Input

static void start_reading(j_decompress_ptr info) { (void)info; }

static void read_buffer(jpeg_job *job) {
    ssize_t got = photo_source_read(&job->source, job->offset, job->buffer, BUFFER_SIZE);
    if (got < 0) {
        photo_fail(&job->result, PHOTO_UNREADABLE, "%s", strerror((int)-got));
        jpeg_give_up(job);
    }
    job->offset += (uint64_t)got;
    if (got == 0) {
        // An end marker in place of missing data ends libjpeg's decoding (libjpeg.txt, "I/O suspension").
        job->ran_out = true;
        job->buffer[0] = 0xFF;
        job->buffer[1] = JPEG_EOI;
        got = 2;
    }
    job->rest = job->buffer;
    job->rest_count = (size_t)got;
}

boolean jpeg_job_read_more(j_decompress_ptr info) {
    jpeg_job *job = job_of(info);
    if (job->rest_count == 0) read_buffer(job);
    size_t count = job->huffman == NULL && job->rest_count > SLICE_SIZE ? SLICE_SIZE : job->rest_count;
    job->reader.next_input_byte = job->rest;
    job->reader.bytes_in_buffer = count;
    job->rest += count;
    job->rest_count -= count;
    return TRUE;
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

void jpeg_job_skip(j_decompress_ptr info, long count) {
    jpeg_job *job = job_of(info);
    if (count <= 0) return;
    size_t from_reader = smaller((size_t)count, job->reader.bytes_in_buffer);
    size_t from_rest = smaller((size_t)count - from_reader, job->rest_count);
    job->reader.next_input_byte += from_reader;
    job->reader.bytes_in_buffer -= from_reader;
    job->rest += from_rest;
    job->rest_count -= from_rest;
    job->offset += (size_t)count - from_reader - from_rest;
}

static void stop_reading(j_decompress_ptr info) { (void)info; }

// MARK: Output

// libjpeg-turbo writes aligned rows past the cache (movntdq in its color conversion); reading them from memory again
// takes longer than writing unaligned ones.
enum { ROW_OFFSET = 4 };

/// A length in pixels of the scaled image, rounded up as libjpeg does.
static uint32_t scaled(const jpeg_job *job, uint32_t length) {
    return (uint32_t)(((uint64_t)length * job->eighths + 7) / 8);
}

/// The smallest scale that still covers the working side, or nearly so: the next one takes half as long again. libjpeg
/// computes only the pixels of that scale, unless the reducer makes them of those at full size, which saves nothing.
static void choose_scale(jpeg_job *job, photo_region region) {
    uint32_t longer = region.width > region.height ? region.width : region.height;
    uint32_t side = job->request.working_side;
    job->eighths = 1;
    for (; job->eighths < 8 && scaled(job, longer) < side; job->eighths++)
        if (!eighths_reducer_takes(job->eighths) && scaled(job, longer) >= side - side / 6) break;
    job->info.scale_denom = 8;
    job->info.scale_num = eighths_reducer_takes(job->eighths) ? 8 : job->eighths;
}

static bool is_reduced(const jpeg_job *job) { return job->eighths != job->info.scale_num; }

/// The region in pixels of the scaled image, rounded outward.
static photo_region scale_region(const jpeg_job *job, photo_region region) {
    photo_region result = {
        .x = (uint32_t)((uint64_t)region.x * job->eighths / 8),
        .y = (uint32_t)((uint64_t)region.y * job->eighths / 8),
    };
    result.width = scaled(job, region.x + region.width) - result.x;
    result.height = scaled(job, region.y + region.height) - result.y;
    return result;
}

/// Skips what is left of, right of and above the region. Returns the column at which rows begin: libjpeg cuts at whole
/// blocks. One more column on either side keeps the interpolated color at the cut the same as in the whole image.
static uint32_t crop(jpeg_job *job, photo_region region) {
    j_decompress_ptr info = &job->info;
    JDIMENSION left = region.x > 0 ? region.x - 1 : 0;
    JDIMENSION right = region.x + region.width;
    JDIMENSION width = (right < info->output_width ? right + 1 : right) - left;
    if (width < info->output_width)
        jpeg_crop_scanline(info, &left, &width);
    else
        left = 0;
    if (region.y > 0) jpeg_skip_scanlines(info, region.y);
    return left;
}

/// Converts CMYK to RGB without a profile. Adobe's files store complements.
static void turn_to_rgba(uint8_t *row, size_t width, bool complement) {
    uint8_t flip = complement ? 0 : 255;
    for (size_t x = 0; x < width; x++, row += 4) {
        uint32_t key = row[3] ^ flip;
        for (int channel = 0; channel < 3; channel++)
            row[channel] = (uint8_t)(((row[channel] ^ flip) * key + 127) / 255);
        row[3] = 255;
    }
}

/// Converts pixels, or inks, into sRGB.
static void convert(jpeg_job *job, uint8_t *pixels, size_t count) {
    if (job->colors != NULL)
        color_transform_apply(job->colors, pixels, count);
    else if (job->info.out_color_space == JCS_CMYK)
        turn_to_rgba(pixels, count, job->info.saw_Adobe_marker);
}

static size_t row_size(const j_decompress_ptr info) { return ROW_OFFSET + (size_t)info->output_width * 4; }

/// Whether a row of the scaled image has lost blocks. Those of a progressive photo only lack precision.
static bool is_lost(const jpeg_job *job, uint32_t y) {
    uint64_t rows = (uint64_t)job->info.max_v_samp_factor * job->info.scale_num;
    return job->lost_row > 0 && !job->info.progressive_mode && y >= job->lost_row * rows;
}

/// Whether the scans so far have all coefficients.
static bool is_complete(const j_decompress_ptr info) {
    for (int index = 0; index < info->num_components; index++) {
        // libjpeg keeps a component's table when its first scan begins.
        if (info->comp_info[index].quant_table == NULL) return false;
        for (int coefficient = 0; info->progressive_mode && coefficient < DCTSIZE2; coefficient++)
            if (info->coef_bits[index][coefficient] != 0) return false;
    }
    return true;
}

static void read_rows(jpeg_job *job, photo_region region) {
    j_decompress_ptr info = &job->info;
    color_kind inks = info->saw_Adobe_marker ? COLOR_CMYK_INVERTED : COLOR_CMYK;
    bool is_cmyk = info->out_color_space == JCS_CMYK;
    color_kind kind = is_cmyk ? inks : info->jpeg_color_space == JCS_GRAYSCALE ? COLOR_GRAY : COLOR_RGB;
    size_t profile_count = 0;
    job->profile = jpeg_join_profile(job, &profile_count);
    job->colors = color_transform_open(job->profile, profile_count, kind);

    if (is_reduced(job)) region = job->reducer.input;
    // Inks have no alpha that blocks could be averaged by.
    bool is_converted_first = is_cmyk && !is_reduced(job);
    uint32_t left = crop(job, region);
    uint8_t *row = NULL;
    for (uint32_t y = 0; y < region.height; y++) {
        uint8_t *next = job->rows + ROW_OFFSET + (y % 2) * row_size(info);
        if (row == NULL || !is_lost(job, region.y + y)) jpeg_read_scanlines(info, &next, 1);
        // What libjpeg puts in place of lost blocks is gray. The row before, if there is one, is nearer to what was
        // there.
        if (row == NULL || !is_lost(job, region.y + y)) {
            row = next + (size_t)(region.x - left) * 4;
            if (is_converted_first) convert(job, row, region.width);
        }
        if (is_reduced(job))
            eighths_reducer_add(&job->reducer, row, y, job->averager.pixels);
        else
            block_averager_add(&job->averager, row, region.width, 0, 1, y);
    }
    block_averager_finish(&job->averager);
    if (!is_converted_first)
        convert(job, job->averager.pixels, (size_t)job->averager.width * job->averager.height);
}

static void read_picture(jpeg_job *job) {
    j_decompress_ptr info = &job->info;
    jpeg_create_decompress(info);
    info->client_data = job;
    info->src = &job->reader;
    info->progress = &job->progress;
    info->mem->max_memory_to_use = (long)job->limits.max_memory;
    jpeg_set_marker_processor(info, JPEG_APP0 + 1, jpeg_take_app1);
    jpeg_set_marker_processor(info, JPEG_APP0 + 2, jpeg_take_app2);

    jpeg_read_header(info, TRUE);
    if (!photo_accept_size(&job->result, &job->limits, info->image_width, info->image_height)) jpeg_give_up(job);
    if (info->min_DCT_scaled_size != DCTSIZE) {
        // libjpeg-turbo 3 decodes these, but not at other sizes.
        photo_fail(&job->result, PHOTO_UNSUPPORTED, "lossless compression");
        jpeg_give_up(job);
    }
    if (job->request.working_side == 0) return;
    photo_region region = photo_region_of(&job->result, &job->request);
    choose_scale(job, region);
    bool is_cmyk = info->jpeg_color_space == JCS_CMYK || info->jpeg_color_space == JCS_YCCK;
    info->out_color_space = is_cmyk ? JCS_CMYK : JCS_EXT_RGBA;

    // libjpeg-turbo 2.1 reads uninitialized memory to smooth photos of which scans are missing (jdcoefct.c).
    info->do_block_smoothing = FALSE;
    job->coefficients = jpeg_coefficients_install(job);
    jpeg_start_decompress(info);
    if (job->ran_out && jpeg_has_multiple_scans(info)) {
        photo_warn(&job->result, "the file has no end marker");
        if (!is_complete(info)) photo_fail(&job->result, PHOTO_CORRUPT, "the file is truncated");
        if (job->result.status != PHOTO_OK) jpeg_give_up(job);
    }
    job->huffman = jpeg_huffman_install(job);
    region = scale_region(job, region);
    job->rows = malloc(2 * row_size(info));
    bool is_open = block_averager_open(
        &job->averager, region.width, region.height, job->request.working_side, false);
    if (is_reduced(job)) {
        is_open &= eighths_reducer_open(
            &job->reducer, job->eighths, region, info->image_width, info->image_height);
        // The reducer writes the result itself. At its scales, the region is hardly larger than the working side, so no
        // blocks are averaged.
        if (job->averager.factor != 1) abort();
    }
    if (job->rows == NULL || !is_open) {
        photo_fail(&job->result, PHOTO_OUT_OF_MEMORY, "out of memory");
        jpeg_give_up(job);
    }
    read_rows(job, region);
    photo_cover(&job->result, region, job->eighths / 8.0);
    job->result.width = job->averager.width;
    job->result.height = job->averager.height;
    job->result.pixels = job->averager.pixels;
    job->averager.pixels = NULL;
}

photo_result photo_decode_jpeg(photo_source source, photo_limits limits, photo_request request) {
    jpeg_job job = {.source = source, .limits = limits, .request = request};
    job.is_public = request.avoids_private_parts || photo_jpeg_parts_in_use() != PHOTO_JPEG_PRIVATE_PARTS;
    job.info.err = jpeg_std_error(&job.errors);
    job.info.client_data = &job;
    job.errors.error_exit = jpeg_exit_with_error;
    job.errors.emit_message = jpeg_take_message;
    job.errors.output_message = print_nothing;
    job.progress.progress_monitor = watch_progress;
    job.reader.init_source = start_reading;
    job.reader.fill_input_buffer = jpeg_job_read_more;
    job.reader.skip_input_data = jpeg_job_skip;
    job.reader.resync_to_restart = jpeg_resync;
    job.reader.term_source = stop_reading;
    job.buffer = malloc(BUFFER_SIZE);
    if (job.buffer == NULL) {
        photo_fail(&job.result, PHOTO_OUT_OF_MEMORY, "out of memory");
    } else if (setjmp(job.escape) == 0) {
        read_picture(&job);
    }
    jpeg_coefficients_close(job.coefficients);
    jpeg_destroy_decompress(&job.info);
    eighths_reducer_close(&job.reducer);
    block_averager_close(&job.averager);
    color_transform_close(job.colors);
    jpeg_free_pieces(&job.pieces);
    free(job.profile);
    free(job.rows);
    free(job.huffman);
    free(job.buffer);
    return job.result;
}
