#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Reduces an image by an integer factor while its rows arrive: every output pixel is the mean of a factor × factor
/// block (less at the right and lower border), weighted by alpha to exclude the color of transparent pixels.
/// Averages the sRGB values directly, as libjpeg's scaled decoding does.
typedef struct block_averager {
    uint32_t input_width, input_height;
    uint32_t width, height;
    uint32_t factor;
    /// Rows arrive in any order (Adam7): all blocks are open until the end, instead of one row of them.
    bool any_order;
    bool has_alpha;
    /// Four sums per open block: red, green and blue times alpha, then alpha.
    uint64_t *sums;
    /// The result: RGBA, `width * height * 4` bytes.
    uint8_t *pixels;
} block_averager;

/// The largest factor with which the longer side is at least `working_side`.
uint32_t block_averager_factor(uint32_t width, uint32_t height, uint32_t working_side);

/// The number of bytes that `block_averager_open` allocates.
uint64_t block_averager_bytes(uint32_t input_width, uint32_t input_height, uint32_t working_side, bool any_order);

/// Returns false if out of memory.
bool block_averager_open(
    block_averager *averager, uint32_t input_width, uint32_t input_height, uint32_t working_side, bool any_order);
/// Adds `count` RGBA pixels of row `y`, the first at column `x`, one every `step` columns.
void block_averager_add(
    block_averager *averager, const uint8_t *row, uint32_t count, uint32_t x, uint32_t step, uint32_t y);

/// Sums of one component's columns over the rows since the previous sums were added.
typedef struct block_columns {
    /// One per sample. A sample covers `share` columns, the first one only its last `share - first`.
    const uint32_t *sums;
    uint32_t share, first;
    /// The first column and the number of columns, in the image.
    uint32_t x, count;
    /// The factor for the sums: 255, an opaque alpha; 1 if alpha is already in them.
    uint32_t weight;
} block_columns;

/// Adds sums of columns, instead of `block_averager_add`: at the latest in the last row of their blocks, before
/// `block_averager_end_row`. `any_order` must be false.
void block_averager_add_columns(block_averager *averager, int channel, block_columns columns);
/// Whether row `y` is the last one of its blocks.
bool block_averager_is_last_row(const block_averager *averager, uint32_t y);
/// Must be called after each row whose columns were added.
void block_averager_end_row(block_averager *averager, uint32_t y);
/// Must be called after the last row and before `pixels` is taken.
void block_averager_finish(block_averager *averager);
/// Frees everything still allocated, `pixels` included unless it was set to NULL.
void block_averager_close(block_averager *averager);
