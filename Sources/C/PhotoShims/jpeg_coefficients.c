// The coefficients of a JPEG with several scans, each of which adds to them, kept packed between the scans.
//
// libjpeg keeps them in virtual arrays, whose methods an application may replace (libjpeg.txt, "Memory management"). It
// reads and writes a few rows of blocks at a time, from top to bottom in every scan. Only these are unpacked.
//
// A packed block is a byte with a bit for each of its eight rows that is not zero, and for each of these a byte with a
// bit for each coefficient that is not zero, followed by these. A coefficient is one signed byte, or, after WIDE, two.
#include "jpeg_coefficients.h"

#include <stdlib.h>
#include <string.h>

#include <jerror.h>

#include "jpeg_scans.h"

enum {
    /// Packing adds up to a third to the time of decoding, so the coefficients of common photos are not packed: those
    /// of 16 megapixels with color at half the size.
    UNPACKED_LIMIT = 48 << 20,
    WIDE = -128,
    /// Of a block whose coefficients all take three bytes.
    PACKED_BLOCK_LIMIT = 1 + DCTSIZE + 3 * DCTSIZE2,
};

/// A component's blocks; libjpeg.h leaves this structure to the memory manager. Allocated by libjpeg, except the rows.
struct jvirt_barray_control {
    JDIMENSION blocks, rows, most_rows;
    /// NULL for a row that has only zeros.
    uint8_t **packed;
    size_t *sizes;
    /// The unpacked rows, from `first` on.
    JBLOCKARRAY window;
    JDIMENSION first, count;
    bool is_written;
    jvirt_barray_ptr next;
};

struct jpeg_coefficients {
    jvirt_barray_ptr arrays;
    /// Of the packed rows. The windows are not counted: `max_side` bounds them.
    size_t bytes;
    /// Space to pack the longest row.
    uint8_t *scratch;
};

// MARK: Blocks

static uint8_t *pack_block(const JCOEF *block, uint8_t *output) {
    uint8_t *rows = output++;
    *rows = 0;
    for (int y = 0; y < DCTSIZE; y++, block += DCTSIZE) {
        uint64_t halves[2];
        memcpy(halves, block, sizeof halves);
        if ((halves[0] | halves[1]) == 0) continue;
        *rows |= (uint8_t)(1 << y);
        uint8_t *columns = output++;
        *columns = 0;
        for (int x = 0; x < DCTSIZE; x++) {
            int value = block[x];
            if (value == 0) continue;
            *columns |= (uint8_t)(1 << x);
            if (value > WIDE && value <= INT8_MAX) {
                *output++ = (uint8_t)value;
            } else {
                *output++ = (uint8_t)WIDE;
                memcpy(output, &block[x], sizeof block[x]);
                output += sizeof block[x];
            }
        }
    }
    return output;
}

/// The block must be zero before.
static const uint8_t *unpack_block(const uint8_t *input, JCOEF *block) {
    for (unsigned rows = *input++; rows != 0; rows &= rows - 1) {
        JCOEF *row = block + __builtin_ctz(rows) * DCTSIZE;
        for (unsigned columns = *input++; columns != 0; columns &= columns - 1) {
            JCOEF *place = row + __builtin_ctz(columns);
            *place = (int8_t)*input++;
            if (*place != WIDE) continue;
            memcpy(place, input, sizeof *place);
            input += sizeof *place;
        }
    }
    return input;
}

// MARK: Rows

static jpeg_coefficients *coefficients_of(j_common_ptr info) { return job_of(info)->coefficients; }

_Noreturn static void fail(j_common_ptr info, int code) {
    info->err->msg_code = code;
    info->err->error_exit(info);
    abort();
}

static void pack_row(j_common_ptr info, jvirt_barray_ptr array, JDIMENSION row) {
    jpeg_coefficients *all = coefficients_of(info);
    const JBLOCK *blocks = array->window[row - array->first];
    uint8_t *end = all->scratch;
    bool is_empty = true;
    for (JDIMENSION x = 0; x < array->blocks; x++) {
        uint8_t *begin = end;
        end = pack_block(blocks[x], begin);
        if (*begin != 0) is_empty = false;
    }
    size_t size = is_empty ? 0 : (size_t)(end - all->scratch);
    all->bytes += size - array->sizes[row];
    if (size != array->sizes[row]) {
        free(array->packed[row]);
        array->sizes[row] = size;
        array->packed[row] = size > 0 ? malloc(size) : NULL;
        if (size > 0 && array->packed[row] == NULL) fail(info, JERR_OUT_OF_MEMORY);
    }
    if (size > 0) memcpy(array->packed[row], all->scratch, size);
    if (all->bytes > job_of(info)->limits.max_memory) fail(info, JERR_NO_BACKING_STORE);
}

static void unpack_row(jvirt_barray_ptr array, JDIMENSION row) {
    JBLOCK *blocks = array->window[row - array->first];
    memset(blocks, 0, array->blocks * sizeof *blocks);
    const uint8_t *input = array->packed[row];
    for (JDIMENSION x = 0; input != NULL && x < array->blocks; x++) input = unpack_block(input, blocks[x]);
}

// MARK: Methods of libjpeg's memory manager

/// libjpeg requests every array with zeros in it, and frees the pool after the image.
static jvirt_barray_ptr request(j_common_ptr info, int pool, boolean is_zero, JDIMENSION blocks, JDIMENSION rows,
    JDIMENSION most_rows) {
    (void)is_zero;
    jpeg_coefficients *all = coefficients_of(info);
    jvirt_barray_ptr array = info->mem->alloc_small(info, pool, sizeof *array);
    *array = (struct jvirt_barray_control){.blocks = blocks, .rows = rows, .most_rows = most_rows};
    array->packed = info->mem->alloc_large(info, pool, rows * sizeof *array->packed);
    memset(array->packed, 0, rows * sizeof *array->packed);
    array->sizes = info->mem->alloc_large(info, pool, rows * sizeof *array->sizes);
    memset(array->sizes, 0, rows * sizeof *array->sizes);
    array->next = all->arrays;
    all->arrays = array;
    return array;
}

static void realize(j_common_ptr info) {
    jpeg_coefficients *all = coefficients_of(info);
    JDIMENSION longest = 0;
    for (jvirt_barray_ptr array = all->arrays; array != NULL; array = array->next) {
        array->window = info->mem->alloc_barray(info, JPOOL_IMAGE, array->blocks, array->most_rows);
        if (array->blocks > longest) longest = array->blocks;
    }
    all->scratch = info->mem->alloc_large(info, JPOOL_IMAGE, (size_t)longest * PACKED_BLOCK_LIMIT);
}

static JBLOCKARRAY access(
    j_common_ptr info, jvirt_barray_ptr array, JDIMENSION first, JDIMENSION count, boolean will_write) {
    if (count > array->most_rows || first > array->rows || count > array->rows - first)
        fail(info, JERR_BAD_VIRTUAL_ACCESS);
    if (first != array->first || count != array->count) {
        for (JDIMENSION row = 0; row < array->count && array->is_written; row++)
            pack_row(info, array, array->first + row);
        array->is_written = false;
        array->first = first;
        array->count = count;
        for (JDIMENSION row = 0; row < count; row++) unpack_row(array, first + row);
    }
    // The coefficients of an unused scan need not be kept.
    if (will_write && !jpeg_scan_is_unused((j_decompress_ptr)info)) array->is_written = true;
    return array->window;
}

// MARK: Use

/// libjpeg would keep this many bytes. The sizes are those of the header, so they are bounded by `max_pixels`.
static uint64_t unpacked_bytes(const struct jpeg_decompress_struct *info) {
    uint64_t bytes = 0;
    for (int index = 0; index < info->num_components; index++) {
        const jpeg_component_info *component = &info->comp_info[index];
        bytes += (uint64_t)component->width_in_blocks * component->height_in_blocks * sizeof(JBLOCK);
    }
    return bytes;
}

jpeg_coefficients *jpeg_coefficients_install(jpeg_job *job) {
    j_decompress_ptr info = &job->info;
    uint64_t limit = job->limits.max_memory < UNPACKED_LIMIT ? job->limits.max_memory : UNPACKED_LIMIT;
    if (!jpeg_has_multiple_scans(info) || unpacked_bytes(info) <= limit) return NULL;
    jpeg_coefficients *all = calloc(1, sizeof *all);
    if (all == NULL) return NULL;
    info->mem->request_virt_barray = request;
    info->mem->realize_virt_arrays = realize;
    info->mem->access_virt_barray = access;
    return all;
}

void jpeg_coefficients_close(jpeg_coefficients *coefficients) {
    if (coefficients == NULL) return;
    for (jvirt_barray_ptr array = coefficients->arrays; array != NULL; array = array->next)
        for (JDIMENSION row = 0; row < array->rows; row++) free(array->packed[row]);
    free(coefficients);
}
