#pragma once

#include "CPhotoShims.h"

/// One chunk of a RIFF file: the offset and length of its content.
typedef struct riff_chunk {
    char name[4];
    uint64_t offset;
    uint32_t count;
} riff_chunk;

/// Reads the chunk header at `*position` and moves on to the next chunk. Returns false at `end`, or if no header fits
/// or can be read. The content may reach beyond `end`.
bool riff_next(const photo_source *source, uint64_t *position, uint64_t end, riff_chunk *chunk);

bool riff_is(const riff_chunk *chunk, const char *name);

/// A little-endian number of 2, 3 or 4 bytes.
uint32_t riff_number(const uint8_t *bytes, int count);
