/* Gradients of a depthwise convolution for training on a CPU.
 *
 * Numbers are bfloat16 (the upper half of a float), channels last: [picture][row][column][channel]. Padding is half the
 * kernel, the kernel 3 or 5, and the number of channels a multiple of LANES. Sums are kept in float.
 *
 * oneDNN computes these gradients in bfloat16 channel by channel; here each step handles LANES neighboring channels,
 * which lie side by side in memory. Every result is computed by one thread, so the number of threads changes no bit.
 */
#include <stddef.h>
#include <stdint.h>

enum { LANES = 16, WIDEST_KERNEL = 5 };

/* GCC's vector extension: the compiler splits these into the processor's vectors. */
typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4)));
typedef uint32_t words __attribute__((vector_size(4 * LANES), aligned(4)));
typedef uint16_t halves __attribute__((vector_size(2 * LANES), aligned(2)));

/* The same layout as `Shape` in depthwise.py. */
struct shape {
    int32_t pictures, rows, columns, channels; /* of the layer's input */
    int32_t out_rows, out_columns;             /* of its output */
    int32_t kernel, stride;
};

static inline lanes widened(const uint16_t *from) {
    return (lanes)(__builtin_convertvector(*(const halves *)from, words) << 16);
}

/* Rounds to nearest, ties to even. A NaN may become an infinity, which also ends the run. */
static inline void store_narrowed(uint16_t *to, lanes value) {
    words bits = (words)value;
    *(halves *)to = __builtin_convertvector((bits + 0x7fff + ((bits >> 16) & 1)) >> 16, halves);
}

/* One row of the gradient with respect to the input, for LANES channels from `channel` on.
 *
 * Output position o reads input position o * stride - padding + tap. So input position i receives from the taps that
 * are congruent to i + padding modulo the stride. `weight` is [tap row][tap column][channel]. */
static void input_gradient_row(
    const struct shape *s, const uint16_t *gradient, const float *weight, uint16_t *row_out, int row, int channel)
{
    const int padding = s->kernel / 2, channels = s->channels;
    const int first_ky = (row + padding) % s->stride, last_row = (row + padding) / s->stride;
    for (int column = 0; column < s->columns; column++) {
        const int first_kx = (column + padding) % s->stride, last_column = (column + padding) / s->stride;
        lanes sum = {0};
        for (int ky = first_ky, from_row = last_row; ky < s->kernel && from_row >= 0; ky += s->stride, from_row--) {
            if (from_row >= s->out_rows) continue;
            const uint16_t *gradient_row = gradient + (size_t)from_row * s->out_columns * channels + channel;
            const float *weight_row = weight + ky * s->kernel * channels + channel;
            for (int kx = first_kx, from = last_column; kx < s->kernel && from >= 0; kx += s->stride, from--) {
                if (from >= s->out_columns) continue;
                sum += widened(gradient_row + (size_t)from * channels) * *(const lanes *)(weight_row + kx * channels);
            }
        }
        store_narrowed(row_out + (size_t)column * channels + channel, sum);
    }
}

void depthwise_input_gradient(
    const struct shape *s, const uint16_t *gradient, const float *weight, uint16_t *input_gradient)
{
    const size_t out_picture = (size_t)s->out_rows * s->out_columns * s->channels;
    #pragma omp parallel for collapse(2) schedule(static)
    for (int picture = 0; picture < s->pictures; picture++) {
        for (int row = 0; row < s->rows; row++) {
            uint16_t *row_out = input_gradient + ((size_t)picture * s->rows + row) * s->columns * s->channels;
            for (int channel = 0; channel < s->channels; channel += LANES)
                input_gradient_row(s, gradient + picture * out_picture, weight, row_out, row, channel);
        }
    }
}

/* Adds to `sums` what one row of the output contributes to one row of taps. The kernel is a constant to the compiler,
 * so that its sums stay in registers; each row has its own sums, so that small numbers are not lost in large ones. */
static inline __attribute__((always_inline)) void add_tap_row(
    const struct shape *s, const uint16_t *gradient_row, const uint16_t *input_row, lanes *sums, const int kernel)
{
    lanes row_sums[WIDEST_KERNEL] = {{0}};
    for (int column = 0; column < s->out_columns; column++) {
        const lanes value = widened(gradient_row + (size_t)column * s->channels);
        const int first = column * s->stride - kernel / 2;
        for (int kx = 0; kx < kernel; kx++) {
            if (first + kx < 0 || first + kx >= s->columns) continue;
            row_sums[kx] += value * widened(input_row + (ptrdiff_t)(first + kx) * s->channels);
        }
    }
    for (int kx = 0; kx < kernel; kx++) sums[kx] += row_sums[kx];
}

/* `weight_gradient` is [tap row][tap column][channel]. */
void depthwise_weight_gradient(
    const struct shape *s, const uint16_t *gradient, const uint16_t *input, float *weight_gradient)
{
    const size_t in_row = (size_t)s->columns * s->channels, out_row = (size_t)s->out_columns * s->channels;
    #pragma omp parallel for schedule(dynamic)
    for (int channel = 0; channel < s->channels; channel += LANES) {
        lanes sums[WIDEST_KERNEL * WIDEST_KERNEL] = {{0}};
        for (int picture = 0; picture < s->pictures; picture++) {
            /* Rows outside, taps inside: the few rows of the input that a row of the output reads stay in the cache. */
            for (int row = 0; row < s->out_rows; row++) {
                for (int ky = 0; ky < s->kernel; ky++) {
                    const int from_row = row * s->stride - s->kernel / 2 + ky;
                    if (from_row < 0 || from_row >= s->rows) continue;
                    const uint16_t *g = gradient + ((size_t)picture * s->out_rows + row) * out_row + channel;
                    const uint16_t *x = input + ((size_t)picture * s->rows + from_row) * in_row + channel;
                    if (s->kernel == 3) add_tap_row(s, g, x, sums + ky * s->kernel, 3);
                    else add_tap_row(s, g, x, sums + ky * s->kernel, 5);
                }
            }
        }
        for (int tap = 0; tap < s->kernel * s->kernel; tap++)
            *(lanes *)(weight_gradient + (size_t)tap * s->channels + channel) = sums[tap];
    }
}
