// Decodes sequential JPEG's Huffman codes (ITU-T T.81, annex F.2.2).
//
// This takes most of the time of decoding a large photo. libjpeg looks up a code and then reads the coefficient's bits;
// here, one look-up also gives the coefficient and, if they fit the index, the next code with its coefficient.
// Only this step is replaced: libjpeg still does markers, dequantization, DCT and colors.
#include "jpeg_huffman.h"

#include "jpeg_private.h"

#ifdef JPEG_HAS_PRIVATE_HEADER

#include <stdlib.h>
#include <string.h>

#include <jerror.h>

#include "huffman_table.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first byte read must get the highest bits");

enum {
    /// Enough for the longest code with the longest coefficient.
    LEAST_BITS = 16 + 15,
    LAST = DCTSIZE2 - 1,
    BEYOND_RUNS = DCTSIZE2 + 16,
};

/// The unread bits, from the highest. Below them are zeros, or bits of the next byte, which is then read again.
typedef struct bit_reader {
    uint64_t bits;
    /// Negative if more bits were used than the data has.
    int count;
} bit_reader;

struct jpeg_huffman {
    bit_reader reader;
    /// Unsigned, because it overflows in hostile files.
    uint32_t last_dc[MAX_COMPS_IN_SCAN];
    unsigned restarts_in;
    huffman_table dc[NUM_HUFF_TBLS], ac[NUM_HUFF_TBLS];
};

static const uint8_t natural_order[DCTSIZE2] = {
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5,
    12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
    58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
};

// MARK: Bits

// The bits stay in registers: functions that are not inlined get only the address of a copy.
#define INLINED static inline __attribute__((always_inline))
#define SEPARATE static __attribute__((noinline))

static uint8_t next_byte(j_decompress_ptr info) {
    struct jpeg_source_mgr *source = info->src;
    // This function never suspends libjpeg, and adds an end marker at the file's end.
    if (source->bytes_in_buffer == 0) (void)source->fill_input_buffer(info);
    source->bytes_in_buffer--;
    return *source->next_input_byte++;
}

/// Reads bytes one by one, without the zero that follows each 255, up to a marker, whose number it keeps.
SEPARATE bit_reader refilled_slowly(j_decompress_ptr info, bit_reader reader) {
    while (reader.count <= 56 && info->unread_marker == 0) {
        uint8_t byte = next_byte(info);
        if (byte == 0xFF) {
            uint8_t marker = byte;
            // Several bytes of 255 may precede a marker's number.
            while (marker == 0xFF) marker = next_byte(info);
            if (marker != 0) {
                info->unread_marker = marker;
                return reader;
            }
        }
        reader.bits |= (uint64_t)byte << (56 - reader.count);
        reader.count += 8;
    }
    return reader;
}

/// Makes at least `LEAST_BITS` available, unless a marker comes before.
INLINED void refill(j_decompress_ptr info, bit_reader *reader) {
    struct jpeg_source_mgr *source = info->src;
    if (source->bytes_in_buffer >= sizeof(uint64_t) && info->unread_marker == 0) {
        uint64_t next;
        memcpy(&next, source->next_input_byte, sizeof next);
        next = __builtin_bswap64(next);
        // Whether none of the bytes is 255.
        if (((~next - 0x0101010101010101) & next & 0x8080808080808080) == 0) {
            // The bits beyond `count` come again with the next bytes.
            reader->bits |= next >> reader->count;
            int bytes = (63 - reader->count) >> 3;
            source->next_input_byte += bytes;
            source->bytes_in_buffer -= (size_t)bytes;
            reader->count += bytes * 8;
            return;
        }
    }
    *reader = refilled_slowly(info, *reader);
}

INLINED void drop(bit_reader *reader, int count) {
    reader->bits <<= count;
    reader->count -= count;
}

/// Reads what `part` leaves out: the coefficient's bits, and the code if it is longer than the index.
SEPARATE huffman_entry decode_slowly(
    j_decompress_ptr info, const huffman_table *table, huffman_entry part, bit_reader *reader, bool is_dc) {
    int length = bits_of(part), symbol = value_of(part);
    if (length == 0) {
        length = INDEX_BITS + 1;
        while (length <= 16 && (int32_t)(reader->bits >> (64 - length)) >= table->limits[length]) length++;
        if (length <= 16) {
            symbol = table->symbols[((int32_t)(reader->bits >> (64 - length)) + table->offsets[length]) & 255];
        } else {
            // The zeros after the last bits need not be a code.
            WARNMS(info, reader->count <= 16 ? JWRN_HIT_MARKER : JWRN_HUFF_BAD_CODE);
            symbol = 0;
        }
    }
    drop(reader, length);
    int size = symbol & 15;
    int value = size > 0 ? extended((uint32_t)(reader->bits >> (64 - size)), size) : 0;
    return make_entry(size, advance_for(symbol, is_dc), value);
}

/// The caller drops the bits that it uses.
INLINED huffman_entry next(j_decompress_ptr info, const huffman_table *table, bit_reader *reader, bool is_dc) {
    if (reader->count < LEAST_BITS) refill(info, reader);
    huffman_entry entry = table->entries[reader->bits >> (64 - INDEX_BITS)];
    if (__builtin_expect(entry & IS_PART, 0)) {
        bit_reader copy = *reader;
        entry = decode_slowly(info, table, entry, &copy, is_dc);
        *reader = copy;
    }
    return entry;
}

// MARK: Blocks

static void restart(j_decompress_ptr info, jpeg_huffman *huffman) {
    // Whole bytes before the marker are superfluous.
    info->marker->discarded_bytes += huffman->reader.count > 0 ? (unsigned)huffman->reader.count / 8 : 0;
    bool is_exhausted = huffman->reader.count < 0;
    (void)info->marker->read_restart_marker(info);
    // As in libjpeg, an unexpected marker stays, and no data follow.
    huffman->reader = (bit_reader){.count = is_exhausted && info->unread_marker != 0 ? -1 : 0};
    memset(huffman->last_dc, 0, sizeof huffman->last_dc);
    huffman->restarts_in = info->restart_interval;
}

/// Stores a block's last coefficient, if there is one. As in libjpeg, a run beyond the end leads to the last position.
INLINED void end_block(JCOEF *block, int position, int16_t value) {
    if (position < BEYOND_RUNS) block[LAST] = value;
}

/// The coefficients of one block; `block` is all zeros.
INLINED void decode_block(
    j_decompress_ptr info, jpeg_huffman *huffman, bit_reader *reader, int component, JCOEF *block) {
    const jpeg_component_info *part = info->cur_comp_info[component];
    uint32_t *last = &huffman->last_dc[component];
    huffman_entry first = next(info, &huffman->dc[part->dc_tbl_no], reader, true);
    drop(reader, bits_of(first));
    *last += (uint32_t)value_of(first);
    block[0] = (JCOEF)*last;
    const huffman_table *table = &huffman->ac[part->ac_tbl_no];
    int position = 0;
    while (true) {
        huffman_entry two = next(info, table, reader, false);
        position += advance_of(two);
        if (position >= LAST) {
            // A second code would be the next block's.
            drop(reader, first_bits_of(two));
            return end_block(block, position, value_of(two));
        }
        drop(reader, bits_of(two));
        block[natural_order[position]] = value_of(two);
        // If there is no second code, this stores the first coefficient again.
        position += second_advance_of(two);
        if (position >= LAST) return end_block(block, position, second_value_of(two));
        block[natural_order[position]] = second_value_of(two);
    }
}

/// Takes the place of libjpeg's function. `blocks` is NULL if they are to be skipped.
static boolean decode_mcu(j_decompress_ptr info, JBLOCKROW *blocks) {
    jpeg_huffman *huffman = job_of(info)->huffman;
    if (info->restart_interval > 0 && huffman->restarts_in == 0) restart(info, huffman);
    huffman->restarts_in--;
    bit_reader reader = huffman->reader;
    // Blocks after the end of the data stay zeros, as in libjpeg: color is smoothed across the border of what is lost.
    if (reader.count < 0) return TRUE;
    for (int index = 0; index < info->blocks_in_MCU; index++) {
        JBLOCK skipped;
        decode_block(info, huffman, &reader, info->MCU_membership[index], blocks != NULL ? *blocks[index] : skipped);
    }
    if (reader.count < 0) WARNMS(info, JWRN_HIT_MARKER);
    huffman->reader = reader;
    return TRUE;
}

jpeg_huffman *jpeg_huffman_install(jpeg_job *job) {
    j_decompress_ptr info = &job->info;
    if (job->is_public || info->progressive_mode || info->arith_code || jpeg_has_multiple_scans(info)) return NULL;
    jpeg_huffman *huffman = calloc(1, sizeof *huffman);
    if (huffman == NULL) return NULL;
    bool is_sound = true;
    for (int component = 0; component < info->comps_in_scan; component++) {
        const jpeg_component_info *part = info->cur_comp_info[component];
        int dc = part->dc_tbl_no, ac = part->ac_tbl_no;
        is_sound = is_sound && dc >= 0 && dc < NUM_HUFF_TBLS && ac >= 0 && ac < NUM_HUFF_TBLS
            && huffman_table_make(&huffman->dc[dc], info->dc_huff_tbl_ptrs[dc], true)
            && huffman_table_make(&huffman->ac[ac], info->ac_huff_tbl_ptrs[ac], false);
    }
    if (!is_sound) {
        free(huffman);
        return NULL;
    }
    huffman->restarts_in = info->restart_interval;
    info->entropy->decode_mcu = decode_mcu;
    return huffman;
}

#else

jpeg_huffman *jpeg_huffman_install(jpeg_job *job) {
    (void)job;
    return NULL;
}

#endif
