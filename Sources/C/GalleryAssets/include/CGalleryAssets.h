#pragma once
#include <stddef.h>

/// The parts of the gallery's page; they exist for the life of the process.
typedef enum { GALLERY_TEMPLATE, GALLERY_STYLE, GALLERY_SCRIPT } gallery_asset;

/// `gallery_asset_size(asset)` bytes of UTF-8, not terminated by zero.
const unsigned char *gallery_asset_bytes(gallery_asset asset);
size_t gallery_asset_size(gallery_asset asset);
