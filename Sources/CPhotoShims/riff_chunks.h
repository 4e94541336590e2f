#pragma once

#include "CPhotoShims.h"

/// One chunk of a RIFF file: where its content is, and how much of it.
typedef struct riff_chunk {
    char name[4];
    uint64_t offset;
    uint32_t count;
} riff_chunk;

/// Reads the chunk's head at `*position` and moves on to the next chunk. False at `end`, or where no head fits or can
/// be read. The content may reach beyond `end`.
bool riff_next(const photo_source *source, uint64_t *position, uint64_t end, riff_chunk *chunk);

bool riff_is(const riff_chunk *chunk, const char *name);

/// A little-endian number of 2, 3 or 4 bytes.
uint32_t riff_number(const uint8_t *bytes, int count);
