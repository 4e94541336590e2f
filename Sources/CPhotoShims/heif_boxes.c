#include "heif_boxes.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BOXES = 64, MAX_META_BYTES = 4 << 20, HEAD = 8, FULL_HEAD = 4 };

/// The rest of a box's content (ISO/IEC 14496-12, 4.2).
typedef struct box {
    char type[4];
    const uint8_t *bytes;
    size_t count;
} box;

static uint64_t number(const uint8_t *bytes, int count) {
    uint64_t value = 0;
    for (int index = 0; index < count; index++) value = value << 8 | bytes[index];
    return value;
}

static bool is(const box *box, const char *type) { return memcmp(box->type, type, sizeof box->type) == 0; }

/// Removes the next box from the front of `rest`. Boxes within meta need no 64-bit sizes.
static bool next_box(box *rest, box *next) {
    if (rest->count < HEAD) return false;
    uint64_t size = number(rest->bytes, 4);
    if (size == 0) size = rest->count;
    if (size < HEAD || size > rest->count) return false;
    memcpy(next->type, rest->bytes + 4, sizeof next->type);
    next->bytes = rest->bytes + HEAD;
    next->count = (size_t)size - HEAD;
    rest->bytes += size;
    rest->count -= (size_t)size;
    return true;
}

static bool skip(box *box, size_t count) {
    if (box->count < count) return false;
    box->bytes += count;
    box->count -= count;
    return true;
}

static bool find(box within, const char *type, box *found) {
    while (next_box(&within, found))
        if (is(found, type)) return true;
    return false;
}

/// The content of `meta`, allocated by malloc.
static uint8_t *read_meta(const photo_source *source, size_t *count) {
    uint64_t position = 0;
    for (int boxes = 0; boxes < MAX_BOXES; boxes++) {
        uint8_t head[16];
        if (photo_source_read(source, position, head, sizeof head) != (ssize_t)sizeof head) return NULL;
        uint64_t size = number(head, 4), head_size = HEAD;
        if (size == 1) {
            size = number(head + 8, 8);
            head_size = sizeof head;
        }
        if (size < head_size || size > source->count - position) return NULL;
        if (memcmp(head + 4, "meta", 4) == 0) {
            *count = (size_t)(size - head_size);
            uint8_t *bytes = *count > 0 && *count <= MAX_META_BYTES ? malloc(*count) : NULL;
            if (bytes != NULL && photo_source_read(source, position + head_size, bytes, *count) == (ssize_t)*count)
                return bytes;
            free(bytes);
            return NULL;
        }
        position += size;
    }
    return NULL;
}

/// Reads the number at the front of `rest`.
static bool take(box *rest, int count, uint64_t *value) {
    if (rest->count < (size_t)count) return false;
    *value = number(rest->bytes, count);
    return skip(rest, (size_t)count);
}

/// The version of a box with version and flags, which are removed; its flags' lowest bit in `flag`.
static bool open_full(box *full, int *version, bool *flag) {
    if (full->count < FULL_HEAD) return false;
    *version = full->bytes[0];
    *flag = (full->bytes[FULL_HEAD - 1] & 1) != 0;
    return skip(full, FULL_HEAD);
}

/// Looks up the primary item (ISO/IEC 14496-12, 8.11.4).
static bool primary_item(box meta, uint64_t *id) {
    box primary;
    int version;
    bool flag;
    return find(meta, "pitm", &primary) && open_full(&primary, &version, &flag)
        && take(&primary, version > 0 ? 4 : 2, id);
}

/// Looks up an item's type (ISO/IEC 14496-12, 8.11.6).
static bool is_grid(box meta, uint64_t id) {
    box infos, info;
    int version;
    bool flag;
    if (!find(meta, "iinf", &infos) || !open_full(&infos, &version, &flag) || !skip(&infos, version > 0 ? 4 : 2))
        return false;
    while (next_box(&infos, &info)) {
        uint64_t info_id, protection, type;
        if (!is(&info, "infe") || !open_full(&info, &version, &flag) || !take(&info, version > 2 ? 4 : 2, &info_id)
            || !take(&info, 2, &protection) || !take(&info, 4, &type))
            continue;
        if (info_id == id) return type == number((const uint8_t *)"grid", 4);
    }
    return false;
}

/// A mirror image first, if `is_mirrored` (left and right swapped), then counterclockwise quarter turns.
typedef struct turning {
    bool is_mirrored;
    int turns;
} turning;

/// Adds what a property does to the image (ISO/IEC 23008-12:2022, 6.5.10 and 6.5.12). Returns false if it also crops.
static bool add_property(turning *all, const box *property) {
    if (is(property, "clap")) return false;
    int value = property->count > 0 ? property->bytes[0] : 0;
    if (is(property, "irot")) all->turns += value & 3;
    if (is(property, "imir")) {
        // A mirror image after a turn is one before the opposite turn; swapping top and bottom is half a turn more.
        all->is_mirrored = !all->is_mirrored;
        all->turns = ((value & 1) == 1 ? 4 : 6) - all->turns % 4;
    }
    return true;
}

static bool property_at(box properties, uint64_t index, box *property) {
    while (index > 0 && next_box(&properties, property)) index--;
    return index == 0;
}

/// Adds what an item's properties do, in their order (ISO/IEC 23008-12, 9.3). Returns false if that is not known.
static bool add_properties(box meta, uint64_t id, turning *all) {
    box iprp, properties, uses, property;
    int version;
    bool is_wide;
    uint64_t entries;
    if (!find(meta, "iprp", &iprp) || !find(iprp, "ipco", &properties) || !find(iprp, "ipma", &uses)
        || !open_full(&uses, &version, &is_wide) || !take(&uses, 4, &entries))
        return false;
    for (; entries > 0; entries--) {
        uint64_t item, count, index;
        if (!take(&uses, version > 0 ? 4 : 2, &item) || !take(&uses, 1, &count)) return false;
        for (; count > 0; count--) {
            if (!take(&uses, is_wide ? 2 : 1, &index)) return false;
            if (item != id) continue;
            // The highest bit says whether readers must know the property; 0 is none.
            index &= is_wide ? 0x7FFF : 0x7F;
            if (index > 0 && (!property_at(properties, index, &property) || !add_property(all, &property)))
                return false;
        }
        if (item == id) return true;
    }
    return true;
}

heif_tiles heif_read_tiles(const photo_source *source) {
    static const uint8_t orientations[2][4] = {{1, 8, 3, 6}, {2, 5, 4, 7}};
    heif_tiles result = {0};
    size_t count = 0;
    uint8_t *bytes = read_meta(source, &count);
    box meta = {.bytes = bytes, .count = count};
    uint64_t id;
    turning all = {0};
    if (bytes != NULL && skip(&meta, FULL_HEAD) && primary_item(meta, &id)) {
        result.is_tiled = is_grid(meta, id);
        if (result.is_tiled && add_properties(meta, id, &all))
            result.orientation = orientations[all.is_mirrored][all.turns % 4];
    }
    free(bytes);
    return result;
}
