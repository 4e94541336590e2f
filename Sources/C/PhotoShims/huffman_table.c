#include "huffman_table.h"

#include <string.h>

/// Fills the entries of all indexes that begin with `code`.
static void add_code(huffman_table *table, uint32_t code, int length, int symbol, bool is_dc) {
    int size = symbol & 15, rest = INDEX_BITS - length, advance = advance_for(symbol, is_dc);
    for (uint32_t tail = 0; tail < 1u << rest; tail++)
        table->entries[code << rest | tail] = size <= rest
            ? make_entry(length + size, advance, extended(tail >> (rest - size), size))
            : make_entry(length | IS_PART, advance, symbol);
}

/// Adds a second code to each entry that leaves enough bits for it.
static void add_second_codes(huffman_table *table) {
    huffman_entry single[1 << INDEX_BITS];
    memcpy(single, table->entries, sizeof single);
    for (uint32_t index = 0; index < 1 << INDEX_BITS; index++) {
        huffman_entry first = table->entries[index];
        int bits = bits_of(first);
        if (first & IS_PART || advance_of(first) == END_OF_BLOCK) continue;
        huffman_entry second = single[(index << bits) % (1 << INDEX_BITS)];
        if (second & IS_PART || bits + bits_of(second) > INDEX_BITS) continue;
        uint64_t value = (uint16_t)value_of(second);
        table->entries[index] = (first & 0xFFFFFFFFFF00) | value << 48 | (uint64_t)advance_of(second) << 16
            | (uint64_t)(bits + bits_of(second));
    }
}

bool huffman_table_make(huffman_table *table, const JHUFF_TBL *source, bool is_dc) {
    if (source == NULL) return false;
    if (table->is_made) return true;
    for (int index = 0; index < 1 << INDEX_BITS; index++) table->entries[index] = IS_PART;
    memcpy(table->symbols, source->huffval, sizeof table->symbols);
    uint32_t code = 0;
    int index = 0;
    for (int length = 1; length <= 16; length++) {
        table->offsets[length] = index - (int)code;
        for (int left = source->bits[length]; left > 0; left--, index++, code++) {
            if (index > 255 || code >= 1u << length) return false;
            if (is_dc && table->symbols[index] > 15) return false;
            if (length <= INDEX_BITS) add_code(table, code, length, table->symbols[index], is_dc);
        }
        table->limits[length] = (int32_t)code;
        code <<= 1;
    }
    if (!is_dc) add_second_codes(table);
    table->is_made = true;
    return true;
}
