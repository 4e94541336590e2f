// The loops for each kind of processor; `matting.h` is compiled once for each.
#pragma once

#include "CRasterLoops.h"

#if defined(__x86_64__)
/// For processors with AVX2. AVX-512 is no faster: these loops wait for divisions.
extern const raster_kernels raster_avx2;
#endif
/// For every processor.
extern const raster_kernels raster_portable;
