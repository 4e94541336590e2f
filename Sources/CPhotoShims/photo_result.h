#pragma once

#include "CPhotoShims.h"

/// Checks the size in the photo's header; on false the result says why.
bool photo_accept_size(photo_result *result, const photo_limits *limits, uint32_t width, uint32_t height);

/// Notes a failure in `result`, printf style.
__attribute__((format(printf, 3, 4))) void photo_fail(
    photo_result *result, photo_status status, const char *format, ...);
