#include "heif_items.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_ITEMS = 20000,
    /// Pieces of an item's data, as in libheif. In `iloc`, they need not take a byte.
    MAX_PIECES = 32,
};

static int by_id(const void *a, const void *b) {
    uint32_t left = ((const heif_item *)a)->id, right = ((const heif_item *)b)->id;
    return left < right ? -1 : left > right;
}

heif_item *heif_item_of(const heif_items *items, uint64_t id) {
    heif_item key = {.id = (uint32_t)id};
    if (id > UINT32_MAX || items->count == 0) return NULL;
    return bsearch(&key, items->all, items->count, sizeof key, by_id);
}

bool heif_take_info(heif_box *info, uint32_t *id, char type[4]) {
    int version;
    bool flag;
    uint64_t number, protection;
    if (!heif_open_full(info, &version, &flag) || !heif_take(info, version > 2 ? 4 : 2, &number)
        || !heif_take(info, 2, &protection))
        return false;
    *id = (uint32_t)number;
    memset(type, 0, 4);
    if (version < 2) return true;
    if (info->count < 4) return false;
    memcpy(type, info->bytes, 4);
    return heif_skip(info, 4);
}

static bool read_infos(heif_items *items, heif_box meta) {
    heif_box infos, info;
    int version;
    bool flag;
    if (!heif_find(meta, "iinf", &infos) || !heif_open_full(&infos, &version, &flag)
        || !heif_skip(&infos, version > 0 ? 4 : 2))
        return false;
    items->all = calloc(MAX_ITEMS, sizeof *items->all);
    if (items->all == NULL) return false;
    while (infos.count > 0) {
        heif_item *item = &items->all[items->count];
        if (!heif_next(&infos, &info)) return false;
        if (!heif_is(&info, "infe")) continue;
        if (items->count == MAX_ITEMS - 1 || !heif_take_info(&info, &item->id, item->type)) return false;
        items->count++;
    }
    qsort(items->all, items->count, sizeof *items->all, by_id);
    return true;
}

/// Reads where one item's data is (8.11.3): `sizes` are those of an offset, a length, a base offset and an index.
static bool read_place(heif_box *rest, int version, const int sizes[4], heif_items *items, uint64_t file_count) {
    uint64_t id, method = 0, reference, base, extents, index, offset, length;
    if (!heif_take(rest, version < 2 ? 2 : 4, &id) || (version > 0 && !heif_take(rest, 2, &method))
        || !heif_take(rest, 2, &reference) || !heif_take(rest, sizes[2], &base) || !heif_take(rest, 2, &extents)
        || extents > MAX_PIECES)
        return false;
    heif_item *item = heif_item_of(items, id);
    for (uint64_t extent = 0; extent < extents; extent++) {
        if ((version > 0 && !heif_take(rest, sizes[3], &index)) || !heif_take(rest, sizes[0], &offset)
            || !heif_take(rest, sizes[1], &length))
            return false;
        bool is_inside = offset <= file_count && base <= file_count && length <= file_count
            && offset + base + length <= file_count;
        if (!is_inside && (method & 0xF) == 0) return false;
        if (item != NULL && extents == 1) {
            item->is_in_idat = (method & 0xF) == 1;
            item->offset = base + offset;
            item->count = (method & 0xF) <= 1 ? length : 0;
        }
    }
    if (item != NULL) item->has_data = true;
    return true;
}

static bool read_places(heif_items *items, heif_box meta, uint64_t file_count) {
    heif_box iloc;
    int version;
    bool flag;
    uint64_t sizes, count;
    if (!heif_find(meta, "iloc", &iloc) || !heif_open_full(&iloc, &version, &flag) || !heif_take(&iloc, 2, &sizes)
        || !heif_take(&iloc, version < 2 ? 2 : 4, &count))
        return false;
    const int fields[4] = {sizes >> 12 & 0xF, sizes >> 8 & 0xF, sizes >> 4 & 0xF, version > 0 ? sizes & 0xF : 0};
    for (int field = 0; field < 4; field++)
        if (fields[field] > 8) return false;
    for (; count > 0; count--)
        if (!read_place(&iloc, version, fields, items, file_count)) return false;
    return true;
}

bool heif_items_open(heif_items *items, heif_box meta, uint64_t file_count) {
    heif_box primary;
    int version;
    bool flag;
    uint64_t id;
    *items = (heif_items){0};
    if (!heif_find(meta, "pitm", &primary) || !heif_open_full(&primary, &version, &flag)
        || !heif_take(&primary, version > 0 ? 4 : 2, &id))
        return false;
    items->primary = (uint32_t)id;
    return read_infos(items, meta) && read_places(items, meta, file_count);
}

bool heif_has_too_many_parts(heif_box meta) {
    const uint64_t most_steps = 1 << 30, most_items = 5000, least_info = 20;
    heif_box rest = meta, box, properties;
    uint64_t infos = 0, references = 0;
    while (heif_next(&rest, &box)) {
        if (heif_is(&box, "iinf")) infos += box.count;
        if (heif_is(&box, "iref")) references += box.count;
    }
    return infos > most_items * least_info
        || (heif_find(meta, "iprp", &properties) && references / 2 * properties.count > most_steps);
}

void heif_items_close(heif_items *items) {
    free(items->all);
    *items = (heif_items){0};
}

bool heif_read_reference(const heif_box *box, int version, heif_reference *reference) {
    heif_box rest = *box;
    uint64_t count;
    reference->size = version > 0 ? 4 : 2;
    if (!heif_take(&rest, reference->size, &reference->from) || !heif_take(&rest, 2, &count)) return false;
    reference->targets = rest.bytes;
    reference->count = (size_t)count;
    return rest.count == count * (size_t)reference->size;
}

uint32_t heif_target(const heif_reference *reference, size_t index) {
    return (uint32_t)heif_number(reference->targets + index * (size_t)reference->size, reference->size);
}

bool heif_reference_from(heif_box meta, uint32_t id, const char *type, heif_reference *reference) {
    heif_box iref, box;
    int version;
    bool flag;
    if (!heif_find(meta, "iref", &iref) || !heif_open_full(&iref, &version, &flag)) return false;
    while (heif_next(&iref, &box))
        if (heif_is(&box, type) && heif_read_reference(&box, version, reference) && reference->from == id) return true;
    return false;
}

enum { MAX_LEVELS = 8 };

/// Puts item `outer` a level above `inner`. Returns whether it was not yet above it, or is above the limit.
static bool raise_above(const heif_items *items, uint8_t *levels, uint64_t outer, uint64_t inner) {
    const heif_item *upper = heif_item_of(items, outer), *lower = heif_item_of(items, inner);
    if (upper == NULL || lower == NULL) return false;
    uint8_t *level = &levels[upper - items->all], below = levels[lower - items->all];
    if (below < *level) return *level > MAX_LEVELS;
    // A level above the limit is enough to detect a cycle.
    *level = below < MAX_LEVELS ? below + 1 : MAX_LEVELS + 1;
    return true;
}

bool heif_has_cycle(const heif_items *items, heif_box meta) {
    heif_box references;
    int version;
    bool flag, is_raised = true;
    uint8_t *levels = calloc(items->count + 1, 1);
    if (levels == NULL || !heif_find(meta, "iref", &references) || !heif_open_full(&references, &version, &flag)) {
        free(levels);
        return false;
    }
    const int size = version > 0 ? 4 : 2;
    // In whatever order the references are, each pass over them completes one more level.
    for (int pass = 0; is_raised && pass <= MAX_LEVELS; pass++) {
        heif_box rest = references, box;
        uint64_t head, from, count;
        is_raised = false;
        // As libheif does: a reference begins where the targets of the one before end; its size is ignored.
        while (heif_take(&rest, 4, &head) && rest.count >= sizeof box.type) {
            memcpy(box.type, rest.bytes, sizeof box.type);
            heif_skip(&rest, sizeof box.type);
            if ((head == 1 && !heif_skip(&rest, 8)) || (heif_is(&box, "uuid") && !heif_skip(&rest, 16))) break;
            if (!heif_take(&rest, size, &from) || !heif_take(&rest, 2, &count)) break;
            bool is_part = heif_is(&box, "dimg"), is_auxiliary = heif_is(&box, "auxl");
            for (uint64_t target; count > 0 && heif_take(&rest, size, &target); count--) {
                if (is_part) is_raised |= raise_above(items, levels, from, target);
                if (is_auxiliary) is_raised |= raise_above(items, levels, target, from);
            }
        }
    }
    free(levels);
    return is_raised;
}

bool heif_property_at(heif_box properties, uint64_t index, heif_box *property) {
    while (index > 0 && heif_next(&properties, property)) index--;
    return index == 0;
}

/// Visits the properties with these numbers. They are looked up together, because an item may have 255 of 32,767.
static bool visit_all(
    heif_box properties, const uint64_t *indexes, uint64_t count, bool (*visit)(const heif_box *, void *),
    void *context) {
    uint64_t known = 0, last = 0;
    for (uint64_t use = 0; use < count; use++) last = indexes[use] > last ? indexes[use] : last;
    heif_box *all = malloc((last + 1) * sizeof *all);
    while (all != NULL && known < last && heif_next(&properties, &all[known + 1])) known++;
    bool goes_on = all != NULL;
    for (uint64_t use = 0; goes_on && use < count; use++)
        if (indexes[use] > 0) goes_on = indexes[use] <= known && visit(&all[indexes[use]], context);
    free(all);
    return goes_on;
}

bool heif_visit_properties(heif_box meta, uint32_t id, bool (*visit)(const heif_box *, void *), void *context) {
    heif_box properties, uses;
    int version;
    bool is_wide;
    uint64_t entries, item, count, indexes[UINT8_MAX];
    if (!heif_find_path(meta, "iprp ipco", &properties) || !heif_find_path(meta, "iprp ipma", &uses)
        || !heif_open_full(&uses, &version, &is_wide) || !heif_take(&uses, 4, &entries))
        return false;
    for (; entries > 0; entries--) {
        if (!heif_take(&uses, version > 0 ? 4 : 2, &item) || !heif_take(&uses, 1, &count)) return false;
        for (uint64_t use = 0; use < count; use++) {
            if (!heif_take(&uses, is_wide ? 2 : 1, &indexes[use])) return false;
            // The highest bit says whether readers must know the property; 0 is none.
            indexes[use] &= is_wide ? 0x7FFF : 0x7F;
        }
        if (item == id) return visit_all(properties, indexes, count, visit, context);
    }
    return true;
}
