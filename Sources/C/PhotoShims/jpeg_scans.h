#pragma once

#include "jpeg_job.h"

/// Whether the current scan does not change the image at the chosen scale: at an eighth of the size, a block becomes
/// one pixel, its mean, which the first scans of a progressive JPEG have. Damage in such a scan is ignored; a truncated
/// file is not.
bool jpeg_scan_is_unused(j_decompress_ptr info);
/// Makes libjpeg skip these scans, through its internals. Call it after libjpeg has set up its modules and before the
/// second scan.
void jpeg_scans_skip_unused(jpeg_job *job);
