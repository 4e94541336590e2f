#pragma once

#include <stdio.h>

#include <jpeglib.h>

// libjpeg's modules call each other through pointers (jpegint.h), so single steps of decoding can be replaced. The
// header is not part of libjpeg's interface: newer distributions do not have it, and its structures change between
// versions.
#if defined(LIBJPEG_TURBO_VERSION) && __has_include(<jpegint.h>)
#define JPEG_HAS_PRIVATE_HEADER 1
#include <jpegint.h>
#endif
