#pragma once

#include "heif_boxes.h"

/// A HEIF file as libheif 1.15 can read it. If its `meta` box has to differ (heif_rewrite.h), or if it is a sequence
/// without a primary item (heif_sequence.h), then another `meta` follows the file's last byte, and the first, if
/// there is one, is called `free`, as `moov` always is, and the brand of sequences `mif1`: so everything stays where
/// the boxes say it is.
typedef struct heif_view {
    photo_source source;
    /// The boxes within `meta`, as libheif sees them; none if the file cannot be parsed.
    heif_box meta;
    /// The boxes within the file's own `meta`, allocated.
    uint8_t *original;
    /// What follows the file's last byte.
    heif_bytes tail;
    /// Four bytes each that differ from the file's.
    struct {
        uint64_t offset;
        uint8_t bytes[4];
    } patches[8];
    int patch_count;
} heif_view;

/// Reads the boxes of `source`, which must outlive the view. An unreadable file gives a view of what is there.
heif_view heif_view_open(const photo_source *source);
void heif_view_close(heif_view *view);
uint64_t heif_view_count(const heif_view *view);
/// As `photo_source_read`.
ssize_t heif_view_read(const heif_view *view, uint64_t offset, uint8_t *buffer, size_t capacity);
