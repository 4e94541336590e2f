#pragma once

#include "CPhotoShims.h"

/// Whether the image consists of tiles, as phones write it: then the codec holds one small tile at a time. libheif 1.15
/// does not report this. Returns false if the file cannot be parsed.
bool heif_is_tiled(const photo_source *source);
