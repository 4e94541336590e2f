#pragma once

#include "CPhotoShims.h"
#include "color_transform.h"

/// The largest ICC profile that is looked at; those of presses have two or three megabytes.
enum { PHOTO_MAX_PROFILE_BYTES = 4 << 20 };

/// Checks the size in the photo's header; on false the result says why.
bool photo_accept_size(photo_result *result, const photo_limits *limits, uint32_t width, uint32_t height);

/// Notes a failure in `result`, printf style.
__attribute__((format(printf, 3, 4))) void photo_fail(
    photo_result *result, photo_status status, const char *format, ...);

/// Notes that holding the picture takes more than `max_memory` where it does. False then.
bool photo_accept_memory(photo_result *result, const photo_limits *limits, uint64_t bytes);

/// The region asked for, or the whole photo. The size must have been accepted.
photo_region photo_region_of(const photo_result *result, const photo_request *request);

/// Says what the pixels cover: `region` of a picture that is `scale` times the photo's size, cut off at its border.
void photo_cover(photo_result *result, photo_region region, double scale);
