#include "heif_view.h"

#include <stdlib.h>
#include <string.h>

#include "heif_items.h"
#include "heif_rewrite.h"
#include "heif_sequence.h"

enum { MAX_BOXES = 64, MAX_BOX_BYTES = 4 << 20, LONG_HEAD = 16 };

/// Places of the contents of the file's own boxes, and of some of their types; 0 if there is no such box.
typedef struct outline {
    uint64_t brands, brands_count, meta, meta_count, meta_type, moov, moov_count, moov_type;
    /// Where the last box begins if its size says that it reaches to the end of the file, or what follows the last box
    /// if that is none, as some phones append. Otherwise the end of the file.
    uint64_t rest;
    bool is_rest_a_box;
} outline;

static void read_outline(const photo_source *source, outline *outline) {
    for (int boxes = 0; boxes < MAX_BOXES && outline->rest < source->count; boxes++) {
        uint8_t head[LONG_HEAD] = {0};
        if (photo_source_read(source, outline->rest, head, sizeof head) < HEIF_HEAD) return;
        uint64_t size = heif_number(head, 4), head_size = HEIF_HEAD;
        outline->is_rest_a_box = size == 0;
        if (size == 1) {
            size = heif_number(head + HEIF_HEAD, 8);
            head_size = LONG_HEAD;
        } else if (size == 0) {
            size = source->count - outline->rest;
        }
        if (size < head_size || size > source->count - outline->rest) return;
        uint64_t type = outline->rest + 4, content = outline->rest + head_size, count = size - head_size;
        if (memcmp(head + 4, "ftyp", 4) == 0) outline->brands = content, outline->brands_count = count;
        if (memcmp(head + 4, "moov", 4) == 0) {
            outline->moov = content, outline->moov_count = count, outline->moov_type = type;
        }
        // libheif takes the last one.
        if (memcmp(head + 4, "meta", 4) == 0) {
            outline->meta = content, outline->meta_count = count, outline->meta_type = type;
        }
        if (outline->is_rest_a_box) return;
        outline->rest += size;
    }
}

static uint8_t *read_content(const photo_source *source, uint64_t offset, uint64_t count) {
    uint8_t *bytes = count > 0 && count <= MAX_BOX_BYTES ? malloc((size_t)count) : NULL;
    if (bytes != NULL && photo_source_read(source, offset, bytes, (size_t)count) == (ssize_t)count) return bytes;
    free(bytes);
    return NULL;
}

static void patch(heif_view *view, uint64_t offset, const void *bytes) {
    view->patches[view->patch_count].offset = offset;
    memcpy(view->patches[view->patch_count++].bytes, bytes, 4);
}

/// The head of a box without content, for a rest that is shorter.
static const uint8_t empty_box[] = {0, 0, 0, HEIF_HEAD, 'f', 'r', 'e', 'e'};

/// Begins the `meta` after the file's last byte.
static size_t begin_meta(heif_view *view, const outline *outline) {
    uint64_t rest = view->source.count - outline->rest;
    view->tail.count = 0;
    if (rest > 0 && rest < HEIF_HEAD) heif_put(&view->tail, empty_box + rest, HEIF_HEAD - (size_t)rest);
    return heif_begin_full(&view->tail, "meta", 0, 0);
}

/// Makes libheif read the `meta` after the file's last byte.
static void use_tail(heif_view *view, size_t position, const outline *outline) {
    heif_end(&view->tail, position);
    uint64_t size = view->source.count - outline->rest;
    if (size > 0) {
        uint8_t bytes[4] = {(uint8_t)(size >> 24), (uint8_t)(size >> 16), (uint8_t)(size >> 8), (uint8_t)size};
        if (size < HEIF_HEAD) memcpy(bytes, empty_box, sizeof bytes);
        if (size > UINT32_MAX) view->tail.has_failed = true;
        patch(view, outline->rest, bytes);
        if (!outline->is_rest_a_box) patch(view, outline->rest + 4, "free");
    }
    if (view->tail.has_failed) {
        view->tail.count = 0;
        view->patch_count = 0;
        return;
    }
    size_t start = position + HEIF_HEAD + HEIF_FULL_HEAD;
    view->meta = (heif_box){.bytes = view->tail.bytes + start, .count = view->tail.count - start};
}

static void rewrite(heif_view *view, const outline *outline) {
    heif_items items = {0};
    size_t position = begin_meta(view, outline), start = view->tail.count;
    bool is_readable = !heif_has_too_many_parts(view->meta) && heif_items_open(&items, view->meta, view->source.count);
    if (is_readable) heif_rewrite_meta(&view->tail, view->meta, &items);
    heif_items_close(&items);
    bool is_same = view->tail.count - start == view->meta.count
        && memcmp(view->tail.bytes + start, view->meta.bytes, view->meta.count) == 0;
    if (!is_readable || view->tail.has_failed || is_same) {
        view->tail.count = 0;
        return;
    }
    patch(view, outline->meta_type, "free");
    use_tail(view, position, outline);
}

static void show_sequence(heif_view *view, const outline *outline) {
    uint8_t *moov = read_content(&view->source, outline->moov, outline->moov_count);
    size_t position = begin_meta(view, outline);
    if (moov != NULL && outline->brands_count >= 12
        && heif_sequence_meta(
            &view->tail, (heif_box){.bytes = moov, .count = (size_t)outline->moov_count}, view->source.count)) {
        // libheif wants a brand of still pictures.
        patch(view, outline->brands + outline->brands_count - 4, "mif1");
        if (outline->meta > 0) patch(view, outline->meta_type, "free");
        use_tail(view, position, outline);
    } else {
        view->tail.count = 0;
    }
    free(moov);
}

/// libheif 1.20 and later read sequences themselves, and refuse some of which earlier ones read the still picture. They
/// require a `moov` of files with the brand `msf1`.
static void hide_sequence(heif_view *view, const outline *outline) {
    patch(view, outline->moov_type, "free");
    uint8_t *brands = read_content(&view->source, outline->brands, outline->brands_count);
    int hidden = 0;
    // The first is the major brand. More than one other would be a duplicate.
    for (uint64_t at = 0; brands != NULL && at + 4 <= outline->brands_count && hidden < 2; at += 4) {
        if (at == 4 || memcmp(brands + at, "msf1", 4) != 0) continue;
        patch(view, outline->brands + at, "mif1");
        hidden++;
    }
    free(brands);
}

heif_view heif_view_open(const photo_source *source) {
    heif_view view = {.source = *source};
    outline outline = {0};
    read_outline(source, &outline);
    if (outline.moov > 0) hide_sequence(&view, &outline);
    if (outline.meta > 0) view.original = read_content(source, outline.meta, outline.meta_count);
    if (view.original != NULL && outline.meta_count > HEIF_FULL_HEAD) {
        view.meta = (heif_box){
            .bytes = view.original + HEIF_FULL_HEAD, .count = (size_t)outline.meta_count - HEIF_FULL_HEAD};
    }
    heif_box primary;
    if (heif_find(view.meta, "pitm", &primary)) {
        rewrite(&view, &outline);
    } else if (outline.moov > 0 && (outline.meta == 0 || view.original != NULL)) {
        show_sequence(&view, &outline);
    }
    return view;
}

void heif_view_close(heif_view *view) {
    free(view->original);
    free(view->tail.bytes);
    *view = (heif_view){0};
}

uint64_t heif_view_count(const heif_view *view) { return view->source.count + view->tail.count; }

ssize_t heif_view_read(const heif_view *view, uint64_t offset, uint8_t *buffer, size_t capacity) {
    ssize_t got = photo_source_read(&view->source, offset, buffer, capacity);
    if (got < 0) return got;
    size_t done = (size_t)got;
    for (int index = 0; index < view->patch_count; index++)
        for (uint64_t byte = 0, place = view->patches[index].offset; byte < 4; byte++, place++)
            if (place >= offset && place - offset < done) buffer[place - offset] = view->patches[index].bytes[byte];
    uint64_t end = offset + done;
    if (done == capacity || end < view->source.count || end >= heif_view_count(view)) return got;
    size_t from = (size_t)(end - view->source.count), rest = view->tail.count - from;
    if (rest > capacity - done) rest = capacity - done;
    memcpy(buffer + done, view->tail.bytes + from, rest);
    return (ssize_t)(done + rest);
}
