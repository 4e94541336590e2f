#include "jpeg_messages.h"

#include <stdio.h>

// Its list of codes depends on the build options in jpeglib.h.
#include <jerror.h>

#include "jpeg_scans.h"

static photo_status status_of(int message_code) {
    switch (message_code) {
    case JERR_OUT_OF_MEMORY: return PHOTO_OUT_OF_MEMORY;
    // libjpeg needs a backing store if `max_memory_to_use` is not enough; this build has none.
    case JERR_NO_BACKING_STORE: return PHOTO_OVER_MEMORY;
    case JERR_IMAGE_TOO_BIG: return PHOTO_OVER_LIMIT;
    case JERR_BAD_PRECISION:
    case JERR_SOF_UNSUPPORTED:
    case JERR_CONVERSION_NOTIMPL:
#if JPEG_LIB_VERSION < 70
    case JERR_ARITH_NOTIMPL:
#endif
    case JERR_CCIR601_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOT_COMPILED: return PHOTO_UNSUPPORTED;
    default: return PHOTO_CORRUPT;
    }
}

void jpeg_exit_with_error(j_common_ptr info) {
    jpeg_job *job = job_of(info);
    char text[JMSG_LENGTH_MAX];
    switch (info->err->msg_code) {
    case JERR_NO_BACKING_STORE:
        snprintf(text, sizeof text, "%u by %u pixels in several scans, all of which must be in memory at once",
            job->result.photo_width, job->result.photo_height);
        break;
    case JERR_BAD_PRECISION:
        snprintf(text, sizeof text, "%d bits per channel", info->err->msg_parm.i[0]);
        break;
    default: info->err->format_message(info, text);
    }
    photo_fail(&job->result, status_of(info->err->msg_code), "%s", text);
    jpeg_give_up(job);
}

/// Whether so little of the image is missing that it can be left out: its last rows of blocks.
static bool is_near_end(const j_decompress_ptr info) {
    enum { LEAST_ROWS = 8, LARGEST_PART = 16 };
    JDIMENSION rows = info->total_iMCU_rows, lost = rows - info->input_iMCU_row;
    return rows >= LEAST_ROWS && lost <= (rows < 2 * LARGEST_PART ? 1 : rows / LARGEST_PART);
}

/// Whether the scan only makes coefficients more precise, in a file that goes on after it: their codes cover any number
/// of blocks, so the row in which they end early says nothing.
static bool is_refining(const jpeg_job *job) { return job->info.progressive_mode && job->info.Ah > 0 && !job->ran_out; }

static bool is_restart_marker(int marker) { return marker >= JPEG_RST0 && marker < JPEG_RST0 + 8; }

// Damage: missing or undecodable image data fails the photo, because libjpeg would replace it with gray or noise;
// unless every viewer shows such photos: without their last bytes, as some cameras write them, or with one wrong
// restart number. Damage that does not affect the image (stray bytes between segments, a missing end marker, odd
// versions) is ignored.
void jpeg_take_message(j_common_ptr info, int level) {
    jpeg_job *job = job_of(info);
    char text[JMSG_LENGTH_MAX];
    if (level >= 0 || jpeg_scan_is_unused(&job->info)) return;
    switch (info->err->msg_code) {
    case JWRN_MUST_RESYNC:
        if (!job->was_misnumbered && is_restart_marker(info->err->msg_parm.i[0])) {
            job->was_misnumbered = true;
            break;
        }
        __attribute__((fallthrough));
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
        if (info->err->msg_code == JWRN_HIT_MARKER && is_refining(job)) break;
        if (job->info.input_iMCU_row > 0 && is_near_end(&job->info)) {
            if (job->lost_row == 0) job->lost_row = job->info.input_iMCU_row;
            break;
        }
        info->err->format_message(info, text);
        if (job->ran_out) snprintf(text, sizeof text, "the file is truncated");
        photo_fail(&job->result, PHOTO_CORRUPT, "%s", text);
        jpeg_give_up(job);
    default: return;
    }
    if (job->result.message[0] != 0) return;
    info->err->format_message(info, text);
    photo_warn(&job->result, text);
}

boolean jpeg_resync(j_decompress_ptr info, int number) {
    jpeg_job *job = job_of(info);
    // The marker stays, and ends the scan's data.
    if (jpeg_scan_is_unused(info)) return TRUE;
    if (job->was_misnumbered || !is_restart_marker(info->unread_marker)) return jpeg_resync_to_restart(info, number);
    WARNMS2(info, JWRN_MUST_RESYNC, info->unread_marker, number);
    info->unread_marker = 0;
    return TRUE;
}
