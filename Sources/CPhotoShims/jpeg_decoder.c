#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

#include "block_averager.h"
#include "photo_result.h"

enum { BUFFER_SIZE = 64 * 1024 };

/// All that one decoding owns. libjpeg hands its address back to every callback (`client_data`).
typedef struct jpeg_job {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    struct jpeg_source_mgr reader;
    jmp_buf escape;
    photo_source source;
    photo_limits limits;
    uint32_t working_side;
    uint64_t offset;
    /// The file ended where libjpeg wanted more.
    bool ran_out;
    uint8_t *buffer;
    uint8_t *row;
    block_averager averager;
    photo_result result;
} jpeg_job;

static jpeg_job *job_of(void *info) { return ((j_common_ptr)info)->client_data; }

_Noreturn static void give_up(jpeg_job *job) { longjmp(job->escape, 1); }

// MARK: Errors

static photo_status status_of(int message_code) {
    switch (message_code) {
    case JERR_OUT_OF_MEMORY: return PHOTO_OUT_OF_MEMORY;
    // libjpeg asks for a file to swap to when `max_memory_to_use` is not enough; this build has none.
    case JERR_NO_BACKING_STORE:
    case JERR_IMAGE_TOO_BIG: return PHOTO_OVER_LIMIT;
    case JERR_BAD_PRECISION:
    case JERR_SOF_UNSUPPORTED:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_ARITH_NOTIMPL:
    case JERR_CCIR601_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOT_COMPILED: return PHOTO_UNSUPPORTED;
    default: return PHOTO_CORRUPT;
    }
}

static void exit_with_error(j_common_ptr info) {
    jpeg_job *job = job_of(info);
    char text[JMSG_LENGTH_MAX];
    switch (info->err->msg_code) {
    case JERR_NO_BACKING_STORE:
        snprintf(text, sizeof text, "%u by %u pixels in several scans, which must be held in memory whole",
            job->result.photo_width, job->result.photo_height);
        break;
    case JERR_BAD_PRECISION:
        snprintf(text, sizeof text, "%d bits per channel", info->err->msg_parm.i[0]);
        break;
    default: info->err->format_message(info, text);
    }
    photo_fail(&job->result, status_of(info->err->msg_code), "%s", text);
    give_up(job);
}

// The rule for damage: picture data that is missing or does not decode ends the photo, for what libjpeg would put in
// its place is grey or noise. What says nothing about the picture (stray bytes between segments, a missing end marker,
// odd versions) is let pass.
static void take_message(j_common_ptr info, int level) {
    if (level >= 0) return;
    switch (info->err->msg_code) {
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC: {
        jpeg_job *job = job_of(info);
        char text[JMSG_LENGTH_MAX];
        info->err->format_message(info, text);
        if (job->ran_out) snprintf(text, sizeof text, "the file ends before the picture does");
        photo_fail(&job->result, PHOTO_CORRUPT, "%s", text);
        give_up(job);
    }
    default: return;
    }
}

static void print_nothing(j_common_ptr info) { (void)info; }

// A file of a few kilobytes may hold thousands of empty scans, each of which costs a walk over the whole picture.
static void watch_progress(j_common_ptr info) {
    jpeg_job *job = job_of(info);
    if (job->info.input_scan_number <= (int)job->limits.max_scans) return;
    photo_fail(&job->result, PHOTO_OVER_LIMIT, "more than %u scans", job->limits.max_scans);
    give_up(job);
}

// MARK: Input

static void start_reading(j_decompress_ptr info) { (void)info; }

static boolean read_more(j_decompress_ptr info) {
    jpeg_job *job = job_of(info);
    ssize_t got = photo_source_read(&job->source, job->offset, job->buffer, BUFFER_SIZE);
    if (got < 0) {
        photo_fail(&job->result, PHOTO_UNREADABLE, "%s", strerror((int)-got));
        give_up(job);
    }
    job->offset += (uint64_t)got;
    if (got == 0) {
        // An end marker in place of what is missing brings libjpeg to its own end (libjpeg.txt, "I/O suspension").
        job->ran_out = true;
        job->buffer[0] = 0xFF;
        job->buffer[1] = JPEG_EOI;
        got = 2;
    }
    job->reader.next_input_byte = job->buffer;
    job->reader.bytes_in_buffer = (size_t)got;
    return TRUE;
}

static void skip(j_decompress_ptr info, long count) {
    jpeg_job *job = job_of(info);
    if (count <= 0) return;
    size_t at_hand = job->reader.bytes_in_buffer;
    size_t from_buffer = (size_t)count < at_hand ? (size_t)count : at_hand;
    job->reader.next_input_byte += from_buffer;
    job->reader.bytes_in_buffer -= from_buffer;
    job->offset += (size_t)count - from_buffer;
}

static void stop_reading(j_decompress_ptr info) { (void)info; }

static uint8_t next_byte(j_decompress_ptr info) {
    jpeg_job *job = job_of(info);
    if (job->reader.bytes_in_buffer == 0) read_more(info);
    job->reader.bytes_in_buffer--;
    return *job->reader.next_input_byte++;
}

// Keeps the first Exif block and nothing else: `jpeg_save_markers` would hold every APP1 segment there is.
static boolean take_app1(j_decompress_ptr info) {
    static const uint8_t name[6] = "Exif\0";
    jpeg_job *job = job_of(info);
    long left = next_byte(info) << 8;
    left = (left | next_byte(info)) - 2;
    if (left > (long)sizeof name && job->result.exif == NULL) {
        bool is_exif = true;
        for (size_t index = 0; index < sizeof name; index++, left--) is_exif &= next_byte(info) == name[index];
        if (is_exif && (job->result.exif = malloc((size_t)left)) != NULL) {
            job->result.exif_count = (size_t)left;
            for (size_t index = 0; left > 0; index++, left--) job->result.exif[index] = next_byte(info);
        }
    }
    skip(info, left);
    return TRUE;
}

// MARK: Output

static void choose_scale(jpeg_job *job) {
    uint64_t longer = job->info.image_width > job->info.image_height ? job->info.image_width : job->info.image_height;
    job->info.scale_denom = 8;
    job->info.scale_num = 1;
    while (job->info.scale_num < 8 && (longer * job->info.scale_num + 7) / 8 < job->working_side) job->info.scale_num++;
}

/// CMYK to RGB by the plain formula. Adobe's files hold the complement of what they mean.
static void turn_to_rgba(uint8_t *row, uint32_t width, bool complement) {
    uint8_t flip = complement ? 0 : 255;
    for (uint32_t x = 0; x < width; x++, row += 4) {
        uint32_t key = row[3] ^ flip;
        for (int channel = 0; channel < 3; channel++)
            row[channel] = (uint8_t)(((row[channel] ^ flip) * key + 127) / 255);
        row[3] = 255;
    }
}

static void read_picture(jpeg_job *job) {
    j_decompress_ptr info = &job->info;
    jpeg_create_decompress(info);
    info->client_data = job;
    info->src = &job->reader;
    info->progress = &job->progress;
    info->mem->max_memory_to_use = (long)job->limits.max_buffered_bytes;
    jpeg_set_marker_processor(info, JPEG_APP0 + 1, take_app1);

    jpeg_read_header(info, TRUE);
    if (!photo_accept_size(&job->result, &job->limits, info->image_width, info->image_height)) give_up(job);
    choose_scale(job);
    bool is_cmyk = info->jpeg_color_space == JCS_CMYK || info->jpeg_color_space == JCS_YCCK;
    info->out_color_space = is_cmyk ? JCS_CMYK : JCS_EXT_RGBA;

    jpeg_start_decompress(info);
    if (job->ran_out && jpeg_has_multiple_scans(info)) {
        // Without the end marker nobody can tell whether scans are missing.
        photo_fail(&job->result, PHOTO_CORRUPT, "the file ends before the picture does");
        give_up(job);
    }
    job->row = malloc((size_t)info->output_width * 4);
    if (job->row == NULL
        || !block_averager_open(&job->averager, info->output_width, info->output_height, job->working_side, false)) {
        photo_fail(&job->result, PHOTO_OUT_OF_MEMORY, "out of memory");
        give_up(job);
    }
    while (info->output_scanline < info->output_height) {
        uint32_t y = info->output_scanline;
        jpeg_read_scanlines(info, &job->row, 1);
        if (is_cmyk) turn_to_rgba(job->row, info->output_width, info->saw_Adobe_marker);
        block_averager_add(&job->averager, job->row, info->output_width, 0, 1, y);
    }
    block_averager_finish(&job->averager);
    job->result.width = job->averager.width;
    job->result.height = job->averager.height;
    job->result.pixels = job->averager.pixels;
    job->averager.pixels = NULL;
}

photo_result photo_decode_jpeg(photo_source source, photo_limits limits, uint32_t working_side) {
    jpeg_job job = {.source = source, .limits = limits, .working_side = working_side};
    job.info.err = jpeg_std_error(&job.errors);
    job.info.client_data = &job;
    job.errors.error_exit = exit_with_error;
    job.errors.emit_message = take_message;
    job.errors.output_message = print_nothing;
    job.progress.progress_monitor = watch_progress;
    job.reader.init_source = start_reading;
    job.reader.fill_input_buffer = read_more;
    job.reader.skip_input_data = skip;
    job.reader.resync_to_restart = jpeg_resync_to_restart;
    job.reader.term_source = stop_reading;
    job.buffer = malloc(BUFFER_SIZE);
    if (job.buffer == NULL) {
        photo_fail(&job.result, PHOTO_OUT_OF_MEMORY, "out of memory");
    } else if (setjmp(job.escape) == 0) {
        read_picture(&job);
    }
    jpeg_destroy_decompress(&job.info);
    block_averager_close(&job.averager);
    free(job.row);
    free(job.buffer);
    return job.result;
}
