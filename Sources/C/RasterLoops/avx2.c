#if defined(__x86_64__)
#include "kernels.h"

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#define NAME "AVX2"
#define KERNELS raster_avx2
#include "matting.h"

#pragma clang attribute pop
#endif
