#pragma once
#include <stddef.h>

/// The parts of the gallery's page; each lives as long as the process.
typedef enum { GALLERY_TEMPLATE, GALLERY_STYLE, GALLERY_SCRIPT } gallery_asset;

/// `gallery_asset_size(asset)` bytes of UTF-8, without a byte of zero at their end.
const unsigned char *gallery_asset_bytes(gallery_asset asset);
size_t gallery_asset_size(gallery_asset asset);
