// The loops of CPhotoShims that need no library.
#include <string.h>

#include "block_averager.h"
#include "cases.h"
#include "eighths_reducer.h"
#include "huffman_table.h"
#include "transfer_curve.h"
#include "ycc_colors.h"

enum { CHANNELS = 4 };

static void ycc(void) {
    static const int matrices[] = {YCC_GRAY, 0, 1, 4, 5, 7, 9};
    size_t count = 1 + random_below(2000);
    uint8_t *pixels = random_bytes(count * CHANNELS);
    ycc_to_rgb(pixels, count, matrices[random_below(sizeof matrices / sizeof *matrices)], random_below(2) == 0);
    add_to_hash(pixels, count * CHANNELS);
}

static void transfer(void) {
    enum { PQ = 16, HLG = 18 };
    transfer_curve curve = {0};
    transfer_curve_open(&curve, random_below(2) == 0 ? PQ : HLG);
    add_to_hash(curve.values, TRANSFER_STEPS);
    uint8_t of_byte = transfer_curve_of_byte(&curve, (uint8_t)random_below(256));
    uint8_t of_word = transfer_curve_of_word(&curve, (uint16_t)random_below(65536));
    add_to_hash(&of_byte, 1);
    add_to_hash(&of_word, 1);
    transfer_curve_close(&curve);
}

static void png_filter(void) {
    size_t width = 1 + random_below(60), height = 1 + random_below(20), count = height * (1 + width * CHANNELS);
    const uint8_t *pixels = random_bytes(width * height * CHANNELS);
    uint8_t *out = random_bytes(count);
    photo_png_filter(pixels, width, height, out);
    add_to_hash(out, count);
}

static void averager(void) {
    uint32_t width = 1 + (uint32_t)random_below(90), height = 1 + (uint32_t)random_below(90);
    bool any_order = random_below(2) == 0;
    block_averager averager;
    block_averager_open(&averager, width, height, 1 + (uint32_t)random_below(60), any_order);
    for (uint32_t y = 0; y < height; y++)
        block_averager_add(
            &averager, random_bytes(width * CHANNELS), width, 0, 1, any_order ? height - 1 - y : y);
    block_averager_finish(&averager);
    add_to_hash(averager.pixels, (size_t)averager.width * averager.height * CHANNELS);
    block_averager_close(&averager);
}

static void reducer(void) {
    uint32_t eighths = 5 + (uint32_t)random_below(3);
    uint32_t width = 20 + (uint32_t)random_below(80), height = 20 + (uint32_t)random_below(80);
    uint32_t out_width = (width * eighths + 7) / 8, out_height = (height * eighths + 7) / 8;
    photo_region region = {.x = (uint32_t)random_below(out_width), .y = (uint32_t)random_below(out_height)};
    region.width = 1 + (uint32_t)random_below(out_width - region.x);
    region.height = 1 + (uint32_t)random_below(out_height - region.y);
    eighths_reducer reducer;
    eighths_reducer_open(&reducer, eighths, region, width, height);
    size_t count = (size_t)region.width * region.height * CHANNELS;
    uint8_t *pixels = random_bytes(count);
    for (uint32_t y = 0; y < reducer.input.height; y++)
        eighths_reducer_add(&reducer, random_bytes((size_t)reducer.input.width * CHANNELS), y, pixels);
    add_to_hash(pixels, count);
    eighths_reducer_close(&reducer);
}

static void huffman(void) {
    bool is_dc = random_below(2) == 0;
    JHUFF_TBL source;
    memset(&source, 0, sizeof source);
    // A prefix code: each length uses some of the codes that the shorter ones left.
    size_t codes = 1, symbols = 0;
    for (size_t length = 1; length <= 16; length++) {
        codes *= 2;
        size_t most = codes < 250 - symbols ? codes : 250 - symbols;
        size_t used = random_below((most < 20 ? most : 20) + 1);
        source.bits[length] = (UINT8)used;
        codes -= used;
        symbols += used;
    }
    for (size_t index = 0; index < symbols; index++) source.huffval[index] = (UINT8)random_below(is_dc ? 16 : 256);
    static huffman_table table;
    memset(&table, 0, sizeof table);
    bool is_made = huffman_table_make(&table, &source, is_dc);
    add_to_hash(&is_made, 1);
    add_to_hash(&table, sizeof table);
}

const loop photo_loops[] = {
    {"ycc_to_rgb", ycc}, {"transfer_curve", transfer}, {"png_filter", png_filter}, {"block_averager", averager},
    {"eighths_reducer", reducer}, {"huffman_table", huffman}, {NULL, NULL},
};
