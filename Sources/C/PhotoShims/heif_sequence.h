#pragma once

#include "heif_boxes.h"

/// Writes the boxes of a `meta` for the first frame of an image sequence (ISO/IEC 23008-12, 7) that has no still
/// picture, and for its alpha channel if there is one. Returns false if `moov` has no frame of AV1 or HEVC inside a
/// file of `file_count` bytes.
bool heif_sequence_meta(heif_bytes *writer, heif_box moov, uint64_t file_count);
