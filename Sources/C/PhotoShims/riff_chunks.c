#include "riff_chunks.h"

#include <string.h>

bool riff_next(const photo_source *source, uint64_t *position, uint64_t end, riff_chunk *chunk) {
    uint8_t head[8];
    if (*position > end || end - *position < sizeof head
        || photo_source_read(source, *position, head, sizeof head) != (ssize_t)sizeof head)
        return false;
    memcpy(chunk->name, head, sizeof chunk->name);
    chunk->count = riff_number(head + 4, 4);
    chunk->offset = *position + sizeof head;
    // Contents of odd length are followed by a byte of padding.
    *position = chunk->offset + chunk->count + chunk->count % 2;
    return true;
}

bool riff_is(const riff_chunk *chunk, const char *name) { return memcmp(chunk->name, name, sizeof chunk->name) == 0; }

uint32_t riff_number(const uint8_t *bytes, int count) {
    uint32_t number = 0;
    while (count-- > 0) number = number << 8 | bytes[count];
    return number;
}
