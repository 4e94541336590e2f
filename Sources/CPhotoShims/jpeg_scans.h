#pragma once

#include "jpeg_job.h"

/// Makes libjpeg skip the scans that do not change the image at the chosen scale: at an eighth of the size, a block
/// becomes one pixel, its mean, which the first scans of a progressive JPEG have. Call it after libjpeg has set up its
/// modules and before the second scan. Damage in a skipped scan is not noticed; a truncated file is.
void jpeg_scans_skip_unused(jpeg_job *job);
