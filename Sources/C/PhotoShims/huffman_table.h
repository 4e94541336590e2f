#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

enum {
    INDEX_BITS = 11,
    /// The advance of an end-of-block code: larger than any that a run can reach.
    END_OF_BLOCK = 128,
};

/// What the next bits mean: a code with its coefficient and, if both fit the index, a second code with its own. The
/// fields, from the lowest bit, with their widths: the number of all these bits (6), `IS_PART` (1), unused (1), how far
/// to advance to the first coefficient's position (8) and from there to the second's (8), the number of the first
/// code's bits with its coefficient (6), unused (2), and the coefficients (16 each). Without a second code, its advance
/// is 0, and its coefficient is the first.
///
/// With `IS_PART`, the coefficient does not fit: only the code's bits are counted (0 if the code does not fit either),
/// and the field of the coefficient has the symbol.
typedef uint64_t huffman_entry;

enum { IS_PART = 1 << 6 };

static inline int bits_of(huffman_entry entry) { return entry & 63; }
static inline int advance_of(huffman_entry entry) { return entry >> 8 & 255; }
static inline int second_advance_of(huffman_entry entry) { return entry >> 16 & 255; }
static inline int first_bits_of(huffman_entry entry) { return entry >> 24 & 63; }
static inline int16_t value_of(huffman_entry entry) { return (int16_t)(entry >> 32); }
static inline int16_t second_value_of(huffman_entry entry) { return (int16_t)(entry >> 48); }

static inline huffman_entry make_entry(int bits, int advance, int value) {
    uint64_t field = (uint16_t)value;
    return field << 48 | field << 32 | (uint64_t)(bits & 63) << 24 | (uint64_t)advance << 8 | (uint64_t)bits;
}

typedef struct huffman_table {
    huffman_entry entries[1 << INDEX_BITS];
    /// For each length, one more than its last code, and what to add to a code to get the index of its symbol.
    int32_t limits[17];
    int32_t offsets[17];
    uint8_t symbols[256];
    bool is_made;
} huffman_table;

/// The signed number that `size` bits encode (ITU-T T.81, table F.1).
static inline int extended(uint32_t bits, int size) {
    return size > 0 && bits < 1u << (size - 1) ? (int)bits - (1 << size) + 1 : (int)bits;
}

/// How far a symbol advances to its coefficient's position.
static inline int advance_for(int symbol, bool is_dc) {
    if (is_dc) return 0;
    int run = symbol >> 4;
    return (symbol & 15) == 0 && run < 15 ? END_OF_BLOCK : run + 1;
}

/// Fills the table unless it is filled. Returns false if these cannot be prefix codes; libjpeg rejects such tables
/// earlier.
bool huffman_table_make(huffman_table *table, const JHUFF_TBL *source, bool is_dc);
