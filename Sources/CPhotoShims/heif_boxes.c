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

/// Looks up the primary item's type (ISO/IEC 14496-12, 8.11.4 and 8.11.6).
static bool has_grid(box meta) {
    box primary, infos, info;
    if (!skip(&meta, FULL_HEAD) || !find(meta, "pitm", &primary) || !find(meta, "iinf", &infos)) return false;
    int id_bytes = primary.count > 0 && primary.bytes[0] > 0 ? 4 : 2;
    if (!skip(&primary, FULL_HEAD) || primary.count < (size_t)id_bytes) return false;
    uint64_t id = number(primary.bytes, id_bytes);
    bool is_long = infos.count > 0 && infos.bytes[0] > 0;
    if (!skip(&infos, FULL_HEAD + (is_long ? 4 : 2))) return false;
    while (next_box(&infos, &info)) {
        if (!is(&info, "infe") || info.count == 0) continue;
        int info_id_bytes = info.bytes[0] > 2 ? 4 : 2;
        if (!skip(&info, FULL_HEAD) || info.count < (size_t)info_id_bytes + 6) continue;
        // The item's protection index is between the two.
        if (number(info.bytes, info_id_bytes) == id) return memcmp(info.bytes + info_id_bytes + 2, "grid", 4) == 0;
    }
    return false;
}

bool heif_is_tiled(const photo_source *source) {
    size_t count = 0;
    uint8_t *meta = read_meta(source, &count);
    bool result = meta != NULL && has_grid((box){.bytes = meta, .count = count});
    free(meta);
    return result;
}
