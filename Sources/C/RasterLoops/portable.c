#include "kernels.h"

#define NAME "portable"
#define KERNELS raster_portable
#include "matting.h"
