#include "heif_rewrite.h"

#include <string.h>

enum { MAX_IDENTITIES = 8, HIDDEN = 1 };

/// The primary image and the identities that stand for it, the innermost first.
typedef struct identity_chain {
    uint32_t ids[MAX_IDENTITIES];
    int count;
} identity_chain;

static bool is_one_of(const char type[4], const char *types) {
    for (; *types != 0; types += 4)
        if (memcmp(type, types, 4) == 0) return true;
    return false;
}

bool heif_is_known(const char type[4]) { return is_one_of(type, "hvc1av01gridiovlidenvvc1"); }

/// Whether libheif 1.15 knows the item as an image, and does not refuse it for its lack of data.
static bool is_image(const heif_item *item) { return item->has_data && heif_is_known(item->type); }

/// Whether the item may be left out: libheif reads the data of all, and of these it needs none.
static bool is_needless(const heif_item *item) { return !item->has_data && !is_one_of(item->type, "hvc1av01gridiovlvvc1Exifmime"); }

static bool resolve(heif_box meta, heif_items *items, identity_chain *chain) {
    heif_reference source;
    chain->ids[MAX_IDENTITIES - 1] = items->primary;
    chain->count = 1;
    const heif_item *item = heif_item_of(items, items->primary);
    while (item != NULL && memcmp(item->type, "iden", 4) == 0) {
        if (chain->count == MAX_IDENTITIES || !heif_reference_from(meta, item->id, "dimg", &source) || source.count != 1)
            return false;
        item = heif_item_of(items, heif_target(&source, 0));
        if (item != NULL) chain->ids[MAX_IDENTITIES - ++chain->count] = item->id;
    }
    if (item == NULL) return false;
    memmove(chain->ids, chain->ids + MAX_IDENTITIES - chain->count, (size_t)chain->count * sizeof *chain->ids);
    return true;
}

static bool contains(const identity_chain *chain, uint64_t id) {
    for (int index = 0; index < chain->count; index++)
        if (chain->ids[index] == id) return true;
    return false;
}

static bool is_auxiliary_type(const heif_box *property, void *is_there) {
    if (heif_is(property, "auxC")) *(bool *)is_there = true;
    return true;
}

/// The one target that is kept. Returns false if libheif has a better reason to refuse the reference.
static bool keep_target(
    const heif_reference *reference, const heif_items *items, const identity_chain *chain, uint32_t *kept) {
    *kept = 0;
    for (size_t index = 0; index < reference->count; index++) {
        uint32_t id = heif_target(reference, index);
        const heif_item *item = heif_item_of(items, id);
        if (item == NULL || id == reference->from) return false;
        bool is_primary = contains(chain, id);
        if (is_primary) *kept = chain->ids[0];
        if (*kept == 0 && is_image(item)) *kept = id;
    }
    return true;
}

static void put_reference(
    heif_bytes *writer, const heif_box *box, int version, heif_box meta, const heif_items *items,
    const identity_chain *chain) {
    heif_reference reference = {0};
    bool is_auxiliary = heif_is(box, "auxl"), has_type = false;
    uint32_t kept;
    if ((!is_auxiliary && !heif_is(box, "cdsc") && !heif_is(box, "thmb"))
        || !heif_read_reference(box, version, &reference) || !keep_target(&reference, items, chain, &kept)) {
        heif_put_box(writer, box);
        return;
    }
    if (kept == 0 && is_auxiliary) {
        heif_visit_properties(meta, (uint32_t)reference.from, is_auxiliary_type, &has_type);
        if (!has_type) heif_put_box(writer, box);
    }
    if (kept == 0) return;
    char type[5] = {box->type[0], box->type[1], box->type[2], box->type[3]};
    size_t position = heif_begin(writer, type);
    heif_put_number(writer, reference.from, reference.size);
    heif_put_number(writer, 1, 2);
    heif_put_number(writer, kept, reference.size);
    heif_end(writer, position);
}

static void put_references(
    heif_bytes *writer, const heif_box *iref, heif_box meta, const heif_items *items, const identity_chain *chain) {
    heif_box rest = *iref, box;
    int version;
    bool flag;
    if (!heif_open_full(&rest, &version, &flag) || version > 1) {
        heif_put_box(writer, iref);
        return;
    }
    size_t position = heif_begin_full(writer, "iref", version, 0);
    while (heif_next(&rest, &box)) put_reference(writer, &box, version, meta, items, chain);
    heif_put(writer, rest.bytes, rest.count);
    heif_end(writer, position);
}

static void put_infos(heif_bytes *writer, const heif_box *iinf, const heif_items *items) {
    heif_box rest = *iinf, box;
    int version;
    bool flag;
    uint32_t left_out = 0, id;
    char type[4];
    for (size_t index = 0; index < items->count; index++) left_out += is_needless(&items->all[index]);
    uint64_t count = 0;
    heif_open_full(&rest, &version, &flag);
    heif_take(&rest, version > 0 ? 4 : 2, &count);
    size_t position = heif_begin_full(writer, "iinf", version, 0);
    heif_put_number(writer, count - left_out, version > 0 ? 4 : 2);
    while (heif_next(&rest, &box)) {
        heif_box info = box;
        if (heif_is(&box, "infe") && heif_take_info(&info, &id, type)) {
            const heif_item *item = heif_item_of(items, id);
            if (item != NULL && is_needless(item)) continue;
        }
        size_t start = writer->count;
        heif_put_box(writer, &box);
        // libheif gives no access to hidden images: tiles, and what an identity stands for.
        if (!writer->has_failed && heif_is(&box, "infe") && box.count >= HEIF_FULL_HEAD)
            writer->bytes[start + HEIF_HEAD + HEIF_FULL_HEAD - 1] &= (uint8_t)~HIDDEN;
    }
    heif_end(writer, position);
}

/// Where an item's properties are in `ipma`: their number is removed from the front of the result.
static bool find_uses(heif_box uses, int version, bool is_wide, uint32_t id, heif_box *found, uint64_t *count) {
    uint64_t entries, item;
    if (!heif_take(&uses, 4, &entries)) return false;
    for (; entries > 0; entries--) {
        if (!heif_take(&uses, version > 0 ? 4 : 2, &item) || !heif_take(&uses, 1, count)) return false;
        *found = uses;
        found->count = (size_t)*count * (is_wide ? 2 : 1);
        if (!heif_skip(&uses, found->count)) return false;
        if (item == id) return true;
    }
    return false;
}

/// Whether a property is no size, or the size of the unchanged image.
static bool is_in_order(const heif_box *property, void *is_changed) {
    if (is_one_of(property->type, "irotimirclap")) *(bool *)is_changed = true;
    return !heif_is(property, "ispe") || !*(bool *)is_changed;
}

/// Puts an item's size before the properties that change it.
static void put_uses(heif_bytes *writer, heif_box properties, heif_box uses, bool is_wide) {
    int bytes = is_wide ? 2 : 1;
    for (int is_size = 1; is_size >= 0; is_size--) {
        heif_box rest = uses, property = {0};
        for (uint64_t use; heif_take(&rest, bytes, &use);) {
            bool is_found = heif_property_at(properties, use & (is_wide ? 0x7FFF : 0x7F), &property);
            if ((is_found && heif_is(&property, "ispe")) == is_size) heif_put_number(writer, use, bytes);
        }
    }
}

/// An additional `ipma`, before the one that is there, because libheif takes an item's first entry.
static void put_properties(heif_bytes *writer, const heif_box *iprp, const identity_chain *chain) {
    heif_box ipma, found, all = {0}, rest = *iprp, box;
    int version = 0;
    bool is_wide = false;
    uint64_t count, total = 0;
    bool has_uses = heif_find(*iprp, "ipco", &all) && heif_find(*iprp, "ipma", &ipma)
        && heif_open_full(&ipma, &version, &is_wide);
    for (int index = 0; has_uses && index < chain->count; index++)
        if (find_uses(ipma, version, is_wide, chain->ids[index], &found, &count)) total += count;
    size_t position = heif_begin(writer, "iprp");
    while (heif_next(&rest, &box)) {
        if (heif_is(&box, "ipma") && has_uses && total <= UINT8_MAX) {
            size_t start = heif_begin_full(writer, "ipma", version, is_wide);
            heif_put_number(writer, 1, 4);
            heif_put_number(writer, chain->ids[0], version > 0 ? 4 : 2);
            heif_put_number(writer, total, 1);
            for (int index = 0; index < chain->count; index++)
                if (find_uses(ipma, version, is_wide, chain->ids[index], &found, &count))
                    put_uses(writer, all, found, is_wide);
            heif_end(writer, start);
            has_uses = false;
        }
        heif_put_box(writer, &box);
    }
    heif_end(writer, position);
}

void heif_rewrite_meta(heif_bytes *writer, heif_box meta, heif_items *items) {
    identity_chain chain;
    heif_box box;
    if (!resolve(meta, items, &chain)) chain = (identity_chain){.ids = {items->primary}, .count = 1};
    bool is_changed = false;
    bool is_kept = chain.count == 1 && heif_visit_properties(meta, items->primary, is_in_order, &is_changed);
    heif_box rest = meta;
    while (heif_next(&rest, &box)) {
        if (heif_is(&box, "pitm") && chain.count > 1) {
            bool is_wide = chain.ids[0] > UINT16_MAX;
            size_t position = heif_begin_full(writer, "pitm", is_wide, 0);
            heif_put_number(writer, chain.ids[0], is_wide ? 4 : 2);
            heif_end(writer, position);
        } else if (heif_is(&box, "iinf")) {
            put_infos(writer, &box, items);
        } else if (heif_is(&box, "iref")) {
            put_references(writer, &box, meta, items, &chain);
        } else if (heif_is(&box, "iprp") && !is_kept) {
            put_properties(writer, &box, &chain);
        } else {
            heif_put_box(writer, &box);
        }
    }
    heif_put(writer, rest.bytes, rest.count);
}
