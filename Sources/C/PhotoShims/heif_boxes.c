#include "heif_boxes.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_WRITTEN = 8 << 20 };

uint64_t heif_number(const uint8_t *bytes, int count) {
    uint64_t value = 0;
    for (int index = 0; index < count; index++) value = value << 8 | bytes[index];
    return value;
}

bool heif_is(const heif_box *box, const char *type) { return memcmp(box->type, type, sizeof box->type) == 0; }

bool heif_next(heif_box *rest, heif_box *next) {
    if (rest->count < HEIF_HEAD) return false;
    uint64_t size = heif_number(rest->bytes, 4), head = HEIF_HEAD;
    if (size == 0) size = rest->count;
    if (size == 1 && rest->count >= HEIF_LARGE_HEAD) {
        head = HEIF_LARGE_HEAD;
        size = heif_number(rest->bytes + HEIF_HEAD, 8);
    }
    if (size < head || size > rest->count) return false;
    memcpy(next->type, rest->bytes + 4, sizeof next->type);
    next->bytes = rest->bytes + head;
    next->count = (size_t)(size - head);
    return heif_skip(rest, (size_t)size);
}

bool heif_skip(heif_box *rest, size_t count) {
    if (rest->count < count) return false;
    rest->bytes += count;
    rest->count -= count;
    return true;
}

bool heif_take(heif_box *rest, int count, uint64_t *value) {
    if (rest->count < (size_t)count) return false;
    *value = heif_number(rest->bytes, count);
    return heif_skip(rest, (size_t)count);
}

bool heif_open_full(heif_box *full, int *version, bool *flag) {
    if (full->count < HEIF_FULL_HEAD) return false;
    *version = full->bytes[0];
    *flag = (full->bytes[HEIF_FULL_HEAD - 1] & 1) != 0;
    return heif_skip(full, HEIF_FULL_HEAD);
}

bool heif_find(heif_box within, const char *type, heif_box *found) {
    while (heif_next(&within, found))
        if (heif_is(found, type)) return true;
    return false;
}

bool heif_find_path(heif_box within, const char *path, heif_box *found) {
    for (*found = within; heif_find(*found, path, found); path += 5)
        if (path[4] == 0) return true;
    return false;
}

void heif_put(heif_bytes *writer, const void *bytes, size_t count) {
    if (writer->has_failed || count > MAX_WRITTEN - writer->count) {
        writer->has_failed = true;
        return;
    }
    if (writer->count + count > writer->capacity) {
        size_t capacity = 2 * (writer->count + count);
        uint8_t *grown = realloc(writer->bytes, capacity);
        writer->has_failed = grown == NULL;
        if (grown == NULL) return;
        writer->bytes = grown;
        writer->capacity = capacity;
    }
    if (count > 0) memcpy(writer->bytes + writer->count, bytes, count);
    writer->count += count;
}

void heif_put_number(heif_bytes *writer, uint64_t value, int count) {
    uint8_t bytes[8];
    for (int index = 0; index < count; index++) bytes[index] = (uint8_t)(value >> 8 * (count - 1 - index));
    heif_put(writer, bytes, (size_t)count);
}

size_t heif_begin(heif_bytes *writer, const char *type) {
    size_t position = writer->count;
    heif_put_number(writer, 0, 4);
    heif_put(writer, type, 4);
    return position;
}

size_t heif_begin_full(heif_bytes *writer, const char *type, int version, uint32_t flags) {
    size_t position = heif_begin(writer, type);
    heif_put_number(writer, (uint32_t)version << 24 | flags, HEIF_FULL_HEAD);
    return position;
}

void heif_end(heif_bytes *writer, size_t position) {
    size_t end = writer->count;
    if (writer->has_failed) return;
    writer->count = position;
    heif_put_number(writer, end - position, 4);
    writer->count = end;
}

void heif_put_box(heif_bytes *writer, const heif_box *box) {
    size_t position = heif_begin(writer, box->type);
    heif_put(writer, box->bytes, box->count);
    heif_end(writer, position);
}
