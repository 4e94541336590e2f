// Random but reproducible inputs for loops, and the hash of what they write.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// A number from 0 to below `count`.
size_t random_below(size_t count);
/// A number from `low` to `high`.
float random_float(float low, float high);

/// Memory until the next call of `begin_case`, filled with random bytes.
void *random_bytes(size_t count);
/// The same with numbers from `low` to `high`.
float *random_floats(size_t count, float low, float high);

/// Frees the memory of the case before.
void begin_case(void);
/// The same numbers follow as after the last call with this number.
void seed(uint64_t number);

/// Adds bytes to the hash.
void add_to_hash(const void *bytes, size_t count);
/// The hash of all bytes since the last call: FNV-1a with 64 bits.
uint64_t take_hash(void);

/// A loop with its name; each run is a case.
typedef struct loop {
    const char *name;
    void (*run)(void);
} loop;

/// The loops of a module; the last one has no name.
extern const loop network_loops[], raster_loops[], photo_loops[];
