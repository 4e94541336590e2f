#pragma once

#include "heif_boxes.h"

/// An item of a `meta` box: an image, or something that belongs to one (ISO/IEC 14496-12, 8.11).
typedef struct heif_item {
    uint32_t id;
    char type[4];
    /// Whether `iloc` says where its data is.
    bool has_data;
    /// If it is in one piece: its place in the file, or in `idat`.
    bool is_in_idat;
    uint64_t offset, count;
} heif_item;

typedef struct heif_items {
    /// In the order of their identifiers.
    heif_item *all;
    size_t count;
    uint32_t primary;
} heif_items;

/// Whether libheif, `heif_rewrite_meta` and `heif_read_tiles` take too long to look up the properties of all parts:
/// they search for those of each from the start. A phone's photo of 200 megapixels needs a two-hundredth of these
/// steps, which take about a second, and has a sixth of these items, of which 20,000 take twelve.
bool heif_has_too_many_parts(heif_box meta);

/// Reads the items of the boxes within `meta`. Returns false if they cannot be parsed, or if the data of one is not
/// inside a file of `file_count` bytes. Pass the result to `heif_items_close` in any case.
bool heif_items_open(heif_items *items, heif_box meta, uint64_t file_count);
void heif_items_close(heif_items *items);
heif_item *heif_item_of(const heif_items *items, uint64_t id);

/// An item's head in `iinf`, which is removed from `info`: its identifier and, or zeros in the first versions, its
/// type.
bool heif_take_info(heif_box *info, uint32_t *id, char type[4]);

/// One reference of `iref` (8.11.12): `count` identifiers of `size` bytes at `targets`.
typedef struct heif_reference {
    uint64_t from;
    const uint8_t *targets;
    int size;
    size_t count;
} heif_reference;

bool heif_read_reference(const heif_box *box, int version, heif_reference *reference);
uint32_t heif_target(const heif_reference *reference, size_t index);
/// The item's first reference of that type.
bool heif_reference_from(heif_box meta, uint32_t id, const char *type, heif_reference *reference);

/// Whether images refer to each other in a cycle, as parts or auxiliary images, or in more than eight levels. libheif
/// would recurse until the stack overflows or memory runs out.
bool heif_has_cycle(const heif_items *items, heif_box meta);

/// The property of `ipco` with that number, from 1 on.
bool heif_property_at(heif_box properties, uint64_t index, heif_box *property);
/// Calls `visit` for each of an item's properties, in their order (ISO/IEC 23008-12, 9.3), until it returns false.
/// Returns false then, and if the properties cannot be parsed.
bool heif_visit_properties(heif_box meta, uint32_t id, bool (*visit)(const heif_box *property, void *context), void *context);
