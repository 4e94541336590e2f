#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

void seed(uint64_t number) { state = number; }

/// Knuth's MMIX.
static uint32_t next(void) {
    state = state * 6364136223846793005 + 1442695040888963407;
    return (uint32_t)(state >> 32);
}

size_t random_below(size_t count) { return (size_t)((uint64_t)next() * count >> 32); }

float random_float(float low, float high) {
    // 24 bits are exact in a float.
    float share = (float)(next() >> 8) * 0x1p-24f, above = (high - low) * share;
    return low + above;
}

static _Alignas(64) uint8_t memory[32 << 20];
static size_t used;

void begin_case(void) { used = 0; }

static void *take(size_t count) {
    uint8_t *start = memory + used;
    used += (count + 63) / 64 * 64;
    if (used > sizeof memory) {
        fputs("a case needs too much memory\n", stderr);
        exit(1);
    }
    return start;
}

void *random_bytes(size_t count) {
    uint8_t *bytes = take(count);
    for (size_t index = 0; index < count; index++) bytes[index] = (uint8_t)(next() >> 24);
    return bytes;
}

float *random_floats(size_t count, float low, float high) {
    float *numbers = take(count * sizeof(float));
    for (size_t index = 0; index < count; index++) numbers[index] = random_float(low, high);
    return numbers;
}

static const uint64_t basis = 0xcbf29ce484222325;
static uint64_t hash = basis;

void add_to_hash(const void *bytes, size_t count) {
    for (const uint8_t *next = bytes; count > 0; count--) hash = (hash ^ *next++) * 0x100000001b3;
}

uint64_t take_hash(void) {
    uint64_t taken = hash;
    hash = basis;
    return taken;
}
