/* Depthwise convolutions for training on a CPU: forward and backward, with clipping to 0...6 where the network has it.
 *
 * Numbers are bfloat16 (the upper half of a float), channels last: [picture][row][column][channel]. Padding is half the
 * kernel, the kernel 3 or 5, the stride 1 or 2, and the number of channels a multiple of LANES. Sums are kept in float.
 *
 * oneDNN computes the gradients in bfloat16 channel by channel, and torch clips in passes of its own. Here each step
 * handles LANES neighboring channels, which lie side by side in memory, and a picture is read from memory once for all
 * steps. A thread computes whole pictures and each has its own sums, so the number of threads changes no bit.
 */
#include <omp.h>

#include "lanes.h"

enum { BLOCK = 4, WIDEST_KERNEL = 5 };

/* The same layout as `Shape` in depthwise.py. */
struct shape {
    int32_t pictures, rows, columns, channels; /* of the layer's input */
    int32_t out_rows, out_columns;             /* of its output */
    int32_t kernel, stride;
    int32_t clipped;                           /* input and output are clipped to 0...6 */
    int32_t threads;
};

/* Adds to BLOCK neighboring sums, from `column` on, what one row under one row of taps contributes. */
INLINE void add_block(
    const uint16_t *row, const lanes *taps, int column, int columns, int channels, lanes *sums, const int kernel,
    const int inside)
{
    #pragma GCC unroll 8
    for (int j = 0; j < BLOCK + kernel - 1; j++) {
        const int from = column + j - kernel / 2;
        lanes value = {0};
        if (inside || (from >= 0 && from < columns)) value = widened(row + (ptrdiff_t)from * channels);
        #pragma GCC unroll 5
        for (int kx = 0; kx < kernel; kx++)
            if (j - kx >= 0 && j - kx < BLOCK) sums[j - kx] += value * taps[kx];
    }
}

/* One row of a convolution at stride 1, for LANES channels. `rows[ky]` is the row under that row of taps, or NULL.
 * `taps` is [tap row][tap column][channel]; `flipped` reads it backwards, which makes this the gradient of itself. */
INLINE void convolve_row(
    const uint16_t *const *rows, const float *taps, int columns, int channels, const int kernel, const int flipped,
    void (*store)(void *, int, lanes), void *place, lanes first)
{
    for (int column = 0; column < columns; column += BLOCK) {
        lanes sums[BLOCK];
        for (int i = 0; i < BLOCK; i++) sums[i] = first;
        for (int ky = 0; ky < kernel; ky++) {
            if (!rows[ky]) continue;
            lanes row_taps[WIDEST_KERNEL];
            for (int kx = 0; kx < kernel; kx++) {
                const int tap = ky * kernel + kx;
                row_taps[kx] = *(const lanes *)(taps + (size_t)(flipped ? kernel * kernel - 1 - tap : tap) * channels);
            }
            if (column >= kernel / 2 && column + BLOCK + kernel / 2 <= columns)
                add_block(rows[ky], row_taps, column, columns, channels, sums, kernel, 1);
            else
                add_block(rows[ky], row_taps, column, columns, channels, sums, kernel, 0);
        }
        #pragma GCC unroll 4
        for (int i = 0; i < BLOCK; i++) if (column + i < columns) store(place, column + i, sums[i]);
    }
}

/* One row of a convolution at stride 2. */
INLINE void convolve_row_by_two(
    const uint16_t *const *rows, const float *taps, int columns, int out_columns, int channels, const int kernel,
    void (*store)(void *, int, lanes), void *place, lanes first)
{
    const int padding = kernel / 2;
    for (int column = 0; column < out_columns; column++) {
        lanes sum = first;
        const int left = 2 * column - padding;
        const int inside = left >= 0 && left + kernel <= columns;
        for (int ky = 0; ky < kernel; ky++) {
            if (!rows[ky]) continue;
            #pragma GCC unroll 5
            for (int kx = 0; kx < kernel; kx++) {
                if (!inside && (left + kx < 0 || left + kx >= columns)) continue;
                sum += widened(rows[ky] + (ptrdiff_t)(left + kx) * channels)
                    * *(const lanes *)(taps + (size_t)(ky * kernel + kx) * channels);
            }
        }
        store(place, column, sum);
    }
}

/* One row of the gradient with respect to the input at stride 2: output position o reads input position
 * 2 * o - padding + tap, so input position i receives from the taps that are congruent to i + padding. */
INLINE void spread_row_by_two(
    const uint16_t *gradient, const float *taps, const struct shape *s, int row, const int kernel,
    void (*store)(void *, int, lanes), void *place)
{
    const int padding = kernel / 2, channels = s->channels;
    const int first_ky = (row + padding) & 1, last_row = (row + padding) >> 1;
    for (int column = 0; column < s->columns; column++) {
        const int first_kx = (column + padding) & 1, last = (column + padding) >> 1;
        lanes sum = {0};
        for (int ky = first_ky, from_row = last_row; ky < kernel && from_row >= 0; ky += 2, from_row--) {
            if (from_row >= s->out_rows) continue;
            const uint16_t *gradient_row = gradient + (size_t)from_row * s->out_columns * channels;
            const float *taps_row = taps + (size_t)ky * kernel * channels;
            for (int kx = first_kx, from = last; kx < kernel && from >= 0; kx += 2, from--) {
                if (from >= s->out_columns) continue;
                sum += widened(gradient_row + (size_t)from * channels)
                    * *(const lanes *)(taps_row + (size_t)kx * channels);
            }
        }
        store(place, column, sum);
    }
}

/* Adds to `sums`, [tap column][channel], what one row of the output contributes to one row of taps; each row has its own
 * sums first, so that small numbers are not lost in large ones. */
INLINE void add_tap_row(
    const uint16_t *gradient, const uint16_t *input, const struct shape *s, float *sums, const int kernel,
    const int stride)
{
    const int padding = kernel / 2, channels = s->channels;
    lanes row_sums[WIDEST_KERNEL] = {{0}};
    int column = 0;
    while (column < s->out_columns) {
        const int left = column * stride - padding;
        if (stride == 1 && left >= 0 && column + BLOCK + padding <= s->columns) {
            lanes values[BLOCK];
            #pragma GCC unroll 4
            for (int i = 0; i < BLOCK; i++) values[i] = widened(gradient + (size_t)(column + i) * channels);
            #pragma GCC unroll 8
            for (int j = 0; j < BLOCK + kernel - 1; j++) {
                const lanes value = widened(input + (ptrdiff_t)(left + j) * channels);
                #pragma GCC unroll 5
                for (int kx = 0; kx < kernel; kx++)
                    if (j - kx >= 0 && j - kx < BLOCK) row_sums[kx] += value * values[j - kx];
            }
            column += BLOCK;
            continue;
        }
        const lanes value = widened(gradient + (size_t)column * channels);
        #pragma GCC unroll 5
        for (int kx = 0; kx < kernel; kx++) {
            if (left + kx < 0 || left + kx >= s->columns) continue;
            row_sums[kx] += value * widened(input + (ptrdiff_t)(left + kx) * channels);
        }
        column++;
    }
    for (int kx = 0; kx < kernel; kx++) *(lanes *)(sums + (size_t)kx * channels) += row_sums[kx];
}

struct target {
    uint16_t *row;
    const uint16_t *value; /* of the input, whose clip the gradient passes */
    int channels, clipped;
};

INLINE void store_output(void *place, int column, lanes value) {
    const struct target *t = place;
    const halves narrow = narrowed(value);
    *(halves *)(t->row + (size_t)column * t->channels) = t->clipped ? clipped(narrow) : narrow;
}

INLINE void store_gradient(void *place, int column, lanes value) {
    const struct target *t = place;
    const size_t at = (size_t)column * t->channels;
    const halves narrow = narrowed(value);
    *(halves *)(t->row + at) = t->clipped ? passed(narrow, t->value + at) : narrow;
}

INLINE void forward_picture(
    const struct shape *s, uint16_t *input, const float *taps, const float *bias, uint16_t *output, const int kernel,
    const int stride)
{
    const int channels = s->channels;
    const size_t in_row = (size_t)s->columns * channels, out_row = (size_t)s->out_columns * channels;
    int ready = 0; /* rows of the input that are clipped */
    for (int row = 0; row < s->out_rows; row++) {
        const int top = row * stride - kernel / 2;
        if (s->clipped)
            for (; ready < s->rows && ready < top + kernel; ready++) clip(input + ready * in_row, in_row);
        for (int channel = 0; channel < channels; channel += LANES) {
            const uint16_t *rows[WIDEST_KERNEL];
            for (int ky = 0; ky < kernel; ky++)
                rows[ky] = top + ky >= 0 && top + ky < s->rows ? input + (top + ky) * in_row + channel : NULL;
            struct target target = {output + row * out_row + channel, NULL, channels, s->clipped};
            const lanes first = bias ? *(const lanes *)(bias + channel) : (lanes){0};
            if (stride == 1)
                convolve_row(rows, taps + channel, s->columns, channels, kernel, 0, store_output, &target, first);
            else
                convolve_row_by_two(
                    rows, taps + channel, s->columns, s->out_columns, channels, kernel, store_output, &target, first);
        }
    }
}

INLINE void backward_picture(
    const struct shape *s, const uint16_t *gradient, const uint16_t *input, const float *taps,
    uint16_t *input_gradient, float *tap_sums, const int kernel, const int stride)
{
    const int channels = s->channels;
    const size_t in_row = (size_t)s->columns * channels, out_row = (size_t)s->out_columns * channels;
    for (int row = 0; row < s->rows; row++) {
        for (int channel = 0; channel < channels; channel += LANES) {
            struct target target = {
                input_gradient + row * in_row + channel, input + row * in_row + channel, channels, s->clipped};
            if (stride == 1) {
                const uint16_t *rows[WIDEST_KERNEL];
                for (int ky = 0; ky < kernel; ky++) {
                    const int from = row - kernel / 2 + ky;
                    rows[ky] = from >= 0 && from < s->rows ? gradient + from * out_row + channel : NULL;
                }
                convolve_row(
                    rows, taps + channel, s->columns, channels, kernel, 1, store_gradient, &target, (lanes){0});
            } else {
                spread_row_by_two(gradient + channel, taps + channel, s, row, kernel, store_gradient, &target);
            }
        }
    }
    for (int row = 0; row < s->out_rows; row++) {
        for (int channel = 0; channel < channels; channel += LANES) {
            for (int ky = 0; ky < kernel; ky++) {
                const int from = row * stride - kernel / 2 + ky;
                if (from < 0 || from >= s->rows) continue;
                add_tap_row(gradient + row * out_row + channel, input + from * in_row + channel, s,
                            tap_sums + (size_t)ky * kernel * channels + channel, kernel, stride);
            }
        }
    }
}

/* Copies a picture's gradient, without what the output's clip stops, and sums it for the bias. */
static void pass_output(
    const struct shape *s, const uint16_t *gradient, const uint16_t *output, uint16_t *passing, float *bias_sums)
{
    const size_t positions = (size_t)s->out_rows * s->out_columns;
    for (size_t position = 0; position < positions; position++) {
        for (int channel = 0; channel < s->channels; channel += LANES) {
            const size_t at = position * s->channels + channel;
            const halves value = passed(*(const halves *)(gradient + at), output + at);
            *(halves *)(passing + at) = value;
            *(lanes *)(bias_sums + channel) += (lanes)(__builtin_convertvector(value, words) << 16);
        }
    }
}

/* `taps` is [tap row][tap column][channel], `bias` NULL or [channel]. Clips `input`, if the layer does. */
void depthwise_forward(
    const struct shape *s, uint16_t *input, const float *taps, const float *bias, uint16_t *output)
{
    const size_t in = (size_t)s->rows * s->columns * s->channels;
    const size_t out = (size_t)s->out_rows * s->out_columns * s->channels;
    #pragma omp parallel for schedule(dynamic) num_threads(s->threads)
    for (int n = 0; n < s->pictures; n++) {
        uint16_t *from = input + n * in, *to = output + n * out;
        if (s->kernel == 3 && s->stride == 1) forward_picture(s, from, taps, bias, to, 3, 1);
        else if (s->kernel == 3) forward_picture(s, from, taps, bias, to, 3, 2);
        else if (s->stride == 1) forward_picture(s, from, taps, bias, to, 5, 1);
        else forward_picture(s, from, taps, bias, to, 5, 2);
    }
}

/* `input` and `output` as depthwise_forward left them. `sums` is [picture][taps and bias][channel], of zeros; its sum
 * over the pictures is the gradient of taps and bias. `passing` has room for a picture of
 * the output for each thread; both it and the bias are only used by a layer that clips. */
void depthwise_backward(
    const struct shape *s, const uint16_t *gradient, const uint16_t *input, const uint16_t *output, const float *taps,
    uint16_t *passing, uint16_t *input_gradient, float *sums)
{
    const size_t in = (size_t)s->rows * s->columns * s->channels;
    const size_t out = (size_t)s->out_rows * s->out_columns * s->channels;
    const size_t tap_count = (size_t)s->kernel * s->kernel * s->channels;
    #pragma omp parallel for schedule(dynamic) num_threads(s->threads)
    for (int n = 0; n < s->pictures; n++) {
        float *tap_sums = sums + n * (tap_count + s->channels);
        const uint16_t *from = gradient + n * out, *x = input + n * in;
        uint16_t *to = input_gradient + n * in;
        if (s->clipped) {
            uint16_t *own = passing + omp_get_thread_num() * out;
            pass_output(s, from, output + n * out, own, tap_sums + tap_count);
            from = own;
        }
        if (s->kernel == 3 && s->stride == 1) backward_picture(s, from, x, taps, to, tap_sums, 3, 1);
        else if (s->kernel == 3) backward_picture(s, from, x, taps, to, tap_sums, 3, 2);
        else if (s->stride == 1) backward_picture(s, from, x, taps, to, tap_sums, 5, 1);
        else backward_picture(s, from, x, taps, to, tap_sums, 5, 2);
    }
}
