// Scans of a progressive JPEG that have only coefficients of higher frequencies, of one component (ITU-T T.81, annex
// G.1.1).
#include "jpeg_scans.h"

#include "jpeg_private.h"

// libjpeg reads only the mean of a block that becomes one pixel (jidctred.c).
bool jpeg_scan_is_unused(j_decompress_ptr info) {
    // The first scan is read before libjpeg's modules can be changed. In a sequential file, libjpeg ignores the numbers
    // of the coefficients.
    return info->input_scan_number > 1 && info->progressive_mode && info->Ss > 0 && info->comps_in_scan == 1
        && info->cur_comp_info[0]->DCT_scaled_size == 1;
}

#ifdef JPEG_HAS_PRIVATE_HEADER

/// Decodes the next rows of a scan, or ends it at once: libjpeg then skips to the next marker.
static int consume(j_decompress_ptr info) {
    if (!jpeg_scan_is_unused(info)) return job_of(info)->consume_data(info);
    // The output waits until the last scan has passed the row (jdcoefct.c, decompress_data).
    info->input_iMCU_row = info->total_iMCU_rows;
    info->inputctl->finish_input_pass(info);
    return JPEG_SCAN_COMPLETED;
}

void jpeg_scans_skip_unused(jpeg_job *job) {
    if (job->is_public || job->consume_data != NULL || job->info.coef->consume_data == NULL) return;
    job->consume_data = job->info.coef->consume_data;
    job->info.coef->consume_data = consume;
}

#else

void jpeg_scans_skip_unused(jpeg_job *job) { (void)job; }

#endif
