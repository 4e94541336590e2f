#include "block_averager.h"

#include <stdlib.h>
#include <string.h>

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }
static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint64_t open_rows(uint32_t factor, uint32_t height, bool any_order) {
    return any_order && factor > 1 ? height : 1;
}

uint32_t block_averager_factor(uint32_t width, uint32_t height, uint32_t working_side) {
    return larger(1, larger(width, height) / working_side);
}

uint64_t block_averager_bytes(uint32_t input_width, uint32_t input_height, uint32_t working_side, bool any_order) {
    uint32_t factor = block_averager_factor(input_width, input_height, working_side);
    uint64_t width = (input_width - 1) / factor + 1, height = (input_height - 1) / factor + 1;
    return 4 * width * (height + open_rows(factor, (uint32_t)height, any_order) * sizeof(uint64_t));
}

bool block_averager_open(
    block_averager *averager, uint32_t input_width, uint32_t input_height, uint32_t working_side, bool any_order) {
    uint32_t factor = block_averager_factor(input_width, input_height, working_side);
    *averager = (block_averager){
        .input_width = input_width,
        .input_height = input_height,
        .width = (input_width - 1) / factor + 1,
        .height = (input_height - 1) / factor + 1,
        .factor = factor,
        .any_order = any_order,
    };
    averager->pixels = calloc((size_t)averager->width * averager->height, 4);
    averager->sums = calloc(averager->width * open_rows(factor, averager->height, any_order), 4 * sizeof(uint64_t));
    return averager->pixels != NULL && averager->sums != NULL;
}

static void close_block_row(block_averager *averager, uint32_t block_y, const uint64_t *sums) {
    uint32_t factor = averager->factor;
    uint64_t rows = smaller(factor, averager->input_height - block_y * factor);
    uint8_t *out = averager->pixels + (size_t)block_y * averager->width * 4;
    for (uint32_t block_x = 0; block_x < averager->width; block_x++, sums += 4, out += 4) {
        uint64_t count = rows * smaller(factor, averager->input_width - block_x * factor);
        uint64_t alpha = sums[3];
        if (alpha > 0)
            for (int channel = 0; channel < 3; channel++) out[channel] = (uint8_t)((sums[channel] + alpha / 2) / alpha);
        out[3] = (uint8_t)((alpha + count / 2) / count);
        averager->has_alpha |= out[3] != 255;
    }
}

void block_averager_add(
    block_averager *averager, const uint8_t *row, uint32_t count, uint32_t x, uint32_t step, uint32_t y) {
    if (averager->factor == 1) {
        uint32_t *out = (uint32_t *)averager->pixels + (size_t)y * averager->width + x;
        if (step == 1) {
            memcpy(out, row, (size_t)count * 4);
            uint32_t common = UINT32_MAX;
            for (uint32_t index = 0; index < count; index++) common &= out[index];
            uint8_t last[4];
            memcpy(last, &common, sizeof last);
            averager->has_alpha |= last[3] != 255;
            return;
        }
        for (uint32_t index = 0; index < count; index++, row += 4, out += step) {
            memcpy(out, row, 4);
            averager->has_alpha |= row[3] != 255;
        }
        return;
    }
    uint32_t factor = averager->factor;
    uint32_t block_y = y / factor;
    uint64_t *sums = averager->sums + (averager->any_order ? (size_t)block_y * averager->width * 4 : 0);
    uint64_t *block = sums + (size_t)(x / factor) * 4;
    uint32_t within = x % factor;
    for (uint32_t index = 0; index < count; index++, row += 4) {
        uint32_t alpha = row[3];
        block[0] += row[0] * alpha;
        block[1] += row[1] * alpha;
        block[2] += row[2] * alpha;
        block[3] += alpha;
        for (within += step; within >= factor; within -= factor) block += 4;
    }
    if (!averager->any_order) block_averager_end_row(averager, y);
}

void block_averager_add_columns(block_averager *averager, int channel, block_columns columns) {
    uint32_t factor = averager->factor, within = columns.x % factor, left = columns.share - columns.first;
    uint64_t *block = averager->sums + (size_t)(columns.x / factor) * 4 + channel;
    const uint32_t *sums = columns.sums;
    for (uint32_t count = columns.count; count > 0; block += 4, within = 0) {
        uint32_t here = smaller(count, factor - within);
        uint64_t sum = 0;
        count -= here;
        if (columns.share == 1) {
            for (; here > 0; here--) sum += *sums++;
        } else {
            for (uint32_t shared; here > 0; here -= shared, left -= shared) {
                if (left == 0) left = columns.share, sums++;
                shared = smaller(here, left);
                sum += (uint64_t)*sums * shared;
            }
        }
        *block += sum * columns.weight;
    }
}

bool block_averager_is_last_row(const block_averager *averager, uint32_t y) {
    return (y + 1) % averager->factor == 0 || y + 1 == averager->input_height;
}

void block_averager_end_row(block_averager *averager, uint32_t y) {
    if (!block_averager_is_last_row(averager, y)) return;
    close_block_row(averager, y / averager->factor, averager->sums);
    memset(averager->sums, 0, (size_t)averager->width * 4 * sizeof(uint64_t));
}

void block_averager_finish(block_averager *averager) {
    if (averager->factor == 1 || !averager->any_order) return;
    for (uint32_t block_y = 0; block_y < averager->height; block_y++)
        close_block_row(averager, block_y, averager->sums + (size_t)block_y * averager->width * 4);
}

void block_averager_close(block_averager *averager) {
    free(averager->sums);
    free(averager->pixels);
    averager->sums = NULL;
    averager->pixels = NULL;
}
