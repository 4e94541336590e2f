// Scans of a progressive JPEG that have only coefficients of higher frequencies, of one component (ITU-T T.81, annex
// G.1.1). libjpeg's modules call each other through pointers (jpegint.h), so the step that decodes a scan is replaced.
#include "jpeg_scans.h"

#include <jpegint.h>

/// Whether each block of the scan's component becomes one pixel, for which libjpeg reads only the mean (jidctred.c).
static bool is_unused(j_decompress_ptr info) {
    // In a sequential file, libjpeg ignores the numbers of the coefficients.
    return info->progressive_mode && info->Ss > 0 && info->comps_in_scan == 1
        && info->cur_comp_info[0]->DCT_scaled_size == 1;
}

/// Decodes the next rows of a scan, or ends it at once: libjpeg then skips to the next marker.
static int consume(j_decompress_ptr info) {
    if (!is_unused(info)) return job_of(info)->consume_data(info);
    // The output waits until the last scan has passed the row (jdcoefct.c, decompress_data).
    info->input_iMCU_row = info->total_iMCU_rows;
    info->inputctl->finish_input_pass(info);
    return JPEG_SCAN_COMPLETED;
}

void jpeg_scans_skip_unused(jpeg_job *job) {
    if (job->consume_data != NULL || job->info.coef->consume_data == NULL) return;
    job->consume_data = job->info.coef->consume_data;
    job->info.coef->consume_data = consume;
}
