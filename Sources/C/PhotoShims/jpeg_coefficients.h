#pragma once

#include "jpeg_job.h"

/// Makes libjpeg keep the coefficients of a large JPEG with several scans packed: about 20 instead of 128 bytes per
/// block of 64, in all at most `max_memory`. Call it between jpeg_read_header and jpeg_start_decompress. Has no effect,
/// and returns NULL, if one scan has the whole image or unpacked coefficients take little memory.
jpeg_coefficients *jpeg_coefficients_install(jpeg_job *job);

/// Frees the packed rows. Call it before jpeg_destroy_decompress, which frees the rest.
void jpeg_coefficients_close(jpeg_coefficients *coefficients);
