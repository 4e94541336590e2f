#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Shrinks a picture by a whole factor while its rows come in: every output pixel is the mean of a factor × factor
/// block (less at the right and lower border), weighed by alpha so that the color of transparent pixels stays out.
/// Averages the sRGB values as they are, as libjpeg's scaled decoding does.
typedef struct block_averager {
    uint32_t input_width, input_height;
    uint32_t width, height;
    uint32_t factor;
    /// Rows come in any order (Adam7): all blocks are open until the end, instead of one row of them.
    bool any_order;
    bool has_alpha;
    /// Four sums per open block: red, green and blue times alpha, then alpha.
    uint64_t *sums;
    /// The result: RGBA, `width * height * 4` bytes.
    uint8_t *pixels;
} block_averager;

/// The largest factor that leaves the longer side at least `working_side`.
uint32_t block_averager_factor(uint32_t width, uint32_t height, uint32_t working_side);

/// What `block_averager_open` allocates.
uint64_t block_averager_bytes(uint32_t input_width, uint32_t input_height, uint32_t working_side, bool any_order);

/// False when there is no memory.
bool block_averager_open(
    block_averager *averager, uint32_t input_width, uint32_t input_height, uint32_t working_side, bool any_order);
/// Takes `count` RGBA pixels of row `y`, the first at column `x`, one every `step` columns.
void block_averager_add(
    block_averager *averager, const uint8_t *row, uint32_t count, uint32_t x, uint32_t step, uint32_t y);
/// Must be called after the last row and before `pixels` is taken away.
void block_averager_finish(block_averager *averager);
/// Frees what is still held, `pixels` included unless it was set to NULL.
void block_averager_close(block_averager *averager);
