#pragma once

#include "jpeg_job.h"

// What libjpeg reports, and what becomes of the photo. These exit by longjmp if it fails.

/// Records an error of libjpeg.
void jpeg_exit_with_error(j_common_ptr info);
/// Fails the photo if the warning says that image data is missing or damaged; records it if that is little.
void jpeg_take_message(j_common_ptr info, int level);
/// Takes a restart marker with a wrong number for the right one, once: if data were missing, the next would be wrong,
/// too.
boolean jpeg_resync(j_decompress_ptr info, int number);
