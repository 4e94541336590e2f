#pragma once

#include "CPhotoShims.h"

/// Whether the picture is put together from tiles, as phones write it, so that the codec holds one small tile at a
/// time. libheif 1.15 does not say. False where the file is not understood.
bool heif_is_tiled(const photo_source *source);
