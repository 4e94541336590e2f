#pragma once

#include "CPhotoShims.h"

/// What is left of a box's content (ISO/IEC 14496-12, 4.2). Borrowed.
typedef struct heif_box {
    char type[4];
    const uint8_t *bytes;
    size_t count;
} heif_box;

/// The sizes of a box's head, of one with a size of 64 bits, and of the version and flags that follow it in a full box.
enum { HEIF_HEAD = 8, HEIF_LARGE_HEAD = 16, HEIF_FULL_HEAD = 4 };

uint64_t heif_number(const uint8_t *bytes, int count);
bool heif_is(const heif_box *box, const char *type);
/// Removes the next box from the front of `rest`.
bool heif_next(heif_box *rest, heif_box *next);
bool heif_skip(heif_box *rest, size_t count);
/// Removes a number from the front of `rest`.
bool heif_take(heif_box *rest, int count, uint64_t *value);
/// Removes version and flags of a full box. `flag` is the lowest bit of the flags.
bool heif_open_full(heif_box *full, int *version, bool *flag);
/// The first box of that type.
bool heif_find(heif_box within, const char *type, heif_box *found);
/// The box at the end of a path of types, separated by spaces.
bool heif_find_path(heif_box within, const char *path, heif_box *found);

/// Bytes that grow, for boxes that are written.
typedef struct heif_bytes {
    uint8_t *bytes;
    size_t count, capacity;
    /// Out of memory, or beyond the limit: `bytes` are not complete.
    bool has_failed;
} heif_bytes;

void heif_put(heif_bytes *writer, const void *bytes, size_t count);
void heif_put_number(heif_bytes *writer, uint64_t value, int count);
/// Begins a box; what is put until `heif_end` with the returned position is its content.
size_t heif_begin(heif_bytes *writer, const char *type);
size_t heif_begin_full(heif_bytes *writer, const char *type, int version, uint32_t flags);
void heif_end(heif_bytes *writer, size_t position);
void heif_put_box(heif_bytes *writer, const heif_box *box);
