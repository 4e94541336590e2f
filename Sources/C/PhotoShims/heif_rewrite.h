#pragma once

#include "heif_items.h"

/// Whether libheif 1.15 knows items of that type as images.
bool heif_is_known(const char type[4]);

/// Writes the boxes of `meta` as libheif 1.15 can read them. It refuses a file in which an auxiliary image, a thumbnail
/// or metadata belongs to several items, or to one that is no image it knows: iOS 18 writes gain maps and Exif data
/// that belong to the photo and to its HDR rendition (`tmap`). Of such a reference, the one to an image is kept. It
/// also refuses items without data, such as `iden` (ISO/IEC 23008-12, 6.6.2.1), so a primary image of that type is
/// replaced by the image that it stands for, with the properties of both. It takes the primary image's size from
/// the last property that says or changes it, so one that follows turns and crops, as cavif wrote AVIF, is put before
/// them. Nothing stays hidden, so that tiles can be decoded one by one.
///
/// What is wrong for another reason is left as it is, for libheif to say so.
void heif_rewrite_meta(heif_bytes *writer, heif_box meta, heif_items *items);
