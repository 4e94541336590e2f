#pragma once

#include "CPhotoShims.h"
#include "color_transform.h"

/// The largest ICC profile that is read; profiles of printing presses have two or three megabytes.
enum { PHOTO_MAX_PROFILE_BYTES = 4 << 20 };

/// Checks the size in the photo's header; if this returns false, the result has the reason.
bool photo_accept_size(photo_result *result, const photo_limits *limits, uint32_t width, uint32_t height);

/// Records a failure in `result`, printf style.
__attribute__((format(printf, 3, 4))) void photo_fail(
    photo_result *result, photo_status status, const char *format, ...);

/// Records a flaw in a photo that is decoded nevertheless. The first one stays.
void photo_warn(photo_result *result, const char *text);

/// If the image needs more than `max_memory`, records that and returns false.
bool photo_accept_memory(photo_result *result, const photo_limits *limits, uint64_t bytes);

/// Returns freed heap to the kernel, after a photo that was in memory as a whole: a worker keeps freed blocks for the
/// next photo, and the network would need its memory beside them.
void photo_return_memory(void);

/// The requested region, or the whole photo. The size must have been accepted.
photo_region photo_region_of(const photo_result *result, const photo_request *request);

/// Sets the area that the pixels cover: `region` of an image that is `scale` times the photo's size, cropped to the
/// photo.
void photo_cover(photo_result *result, photo_region region, double scale);
