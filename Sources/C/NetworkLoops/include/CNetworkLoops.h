// The operations of a network in 8 bits, quantized as in Jacob et al. 2018, "Quantization and Training of Neural
// Networks for Efficient Integer-Arithmetic-Only Inference", but scaled in floats: a byte of a value stands for the
// number scale * (byte - zero), a weight is a signed byte times the scale of its output channel, and what `zero` adds
// to a sum is part of the offset. Bytes of pictures are in the order row, column, channel.
//
// Sums of products are exact. They are then converted to float, scaled and rounded one operation after the other, none
// of them fused, so every processor gives the same results.
//
// Nothing is allocated or checked. Callers guarantee that
// - all sizes and counts are greater than 0, and buffers as large as they require: not a byte outside them is read or
//   written;
// - the output overlaps no other buffer;
// - weights are at least -127, so that the sum of two of NEON's products fits in 16 bits;
// - sums fit in 32 bits: at most 65,000 inputs of `network_multiply`, and 8 million pixels of `network_average`;
// - so do the numbers that are rounded to bytes.
// Addresses need no alignment. Functions keep no state and no pointers.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// The size of a picture.
typedef struct network_shape {
    size_t width;
    size_t height;
    size_t channels;
} network_shape;

/// How sums become bytes: sum * scales[channel] + offsets[channel], rounded to the nearest byte, half to even, and
/// clipped to 0...255. Both arrays have `network_padded(channels)` numbers.
typedef struct network_rounding {
    const float *scales;
    const float *offsets;
} network_rounding;

/// Widens numbers of 16 bits (IEEE 754-2019, 3.4: binary16).
void network_widen(const void *halves, size_t count, float *output);
/// Returns whether no number is infinite or NaN.
int network_are_finite(const float *numbers, size_t count);

/// How the weights of an output channel became bytes.
typedef struct network_quantization {
    /// The weight of the largest magnitude became 127 or -127. 1 if all weights are 0.
    double scale;
    /// Of the bytes.
    int32_t sum;
} network_quantization;

/// Quantizes rows of `count` finite weights, one for each output channel: divides by the channel's scale and rounds,
/// half to even. Rows of bytes end with zeros up to a multiple of 4.
void network_quantize(
    const float *weights, size_t channels, size_t count, int8_t *bytes, network_quantization *quantizations);
/// The same for `count` rows of one weight for each channel, and as many bytes.
void network_quantize_depthwise(
    const float *weights, size_t channels, size_t count, int8_t *bytes, network_quantization *quantizations);

/// The next multiple of 16.
size_t network_padded(size_t channels);

/// Arranges a matrix of `outputs` rows and `inputs` columns, a multiple of 4, for `network_multiply`: it becomes
/// network_padded(outputs) * inputs bytes.
void network_pack(const int8_t *weights, size_t outputs, size_t inputs, int8_t *packed);
/// A pointwise convolution, which is the product of two matrices (GEMM): multiplies `pixels` rows of `inputs` bytes by
/// a packed matrix, giving rows of `outputs` bytes.
void network_multiply(
    const uint8_t *input, size_t pixels, size_t inputs, const int8_t *packed, size_t outputs, network_rounding rounding,
    uint8_t *output);

/// The bytes that `network_pack_depthwise` writes.
size_t network_depthwise_size(size_t channels, size_t kernel);
/// Arranges the weights, in the order row, column, channel, of `network_depthwise`.
void network_pack_depthwise(const int8_t *weights, size_t channels, size_t kernel, int8_t *packed);
/// The bytes that `network_depthwise` needs for its own use. It is fastest if their address is a multiple of 64.
size_t network_depthwise_scratch(size_t width);
/// Convolves each channel alone with a square kernel of 3 or 5, at every `stride`th row and column from the first on,
/// with (kernel - 1) / 2 pixels of byte 0 around the picture. Channels are a multiple of 16.
void network_depthwise(
    const uint8_t *input, network_shape shape, size_t kernel, size_t stride, const int8_t *packed,
    network_rounding rounding, uint8_t *scratch, uint8_t *output);

/// Red, green and blue of `count` pixels of four bytes; transparent ones are mixed with the gray of `neutral`.
void network_colors(const uint8_t *pixels, size_t count, uint8_t neutral, uint8_t *output);

/// The neighborhoods of 3 x 3 pixels around every second row and column of a picture of 3 channels, as rows of 28
/// bytes, the last of which is 0 (im2col): a convolution of 3 x 3 is their product with a matrix. Both sides are even;
/// pixels outside consist of the byte `outside`.
void network_neighborhoods(const uint8_t *input, network_shape shape, uint8_t outside, uint8_t *output);

/// a * scales[0] + b * scales[1] + offset, rounded and clipped like sums. `count` is a multiple of 16.
void network_add(
    const uint8_t *a, const uint8_t *b, size_t count, const float scales[2], float offset, uint8_t *output);

/// Doubles both sides, bilinearly with half-pixel centers: the exact mean, half rounded up. Channels are a multiple of
/// 16.
void network_double(const uint8_t *input, network_shape shape, uint8_t *output);

/// The sum of each channel * scale + offset, rounded and clipped like sums. Channels are a multiple of 16.
void network_average(const uint8_t *input, network_shape shape, float scale, float offset, uint8_t *output);

/// A convolution of 3 x 3 from 16 channels to one, of numbers: sum * scale + offset. Around the picture are pixels of
/// byte 0; `weights` are in the order row, column, channel.
void network_head(
    const uint8_t *input, network_shape shape, const int8_t *weights, float scale, float offset, float *output);

/// Doubles both sides of a plane, a multiple of 8 wide, bilinearly with half-pixel centers, and takes the logistic
/// function of each number, with an error below 1e-6. A number that is not one (NaN) becomes nearly 0.
void network_probability(const float *input, size_t width, size_t height, float *output);

/// The functions above whose speed depends on the processor's instructions.
typedef struct network_kernels {
    const char *name;
    void (*multiply)(
        const uint8_t *input, size_t pixels, size_t inputs, const int8_t *packed, size_t outputs,
        network_rounding rounding, uint8_t *output);
    void (*depthwise)(
        const uint8_t *input, network_shape shape, size_t kernel, size_t stride, const int8_t *packed,
        network_rounding rounding, uint8_t *scratch, uint8_t *output);
    void (*colors)(const uint8_t *pixels, size_t count, uint8_t neutral, uint8_t *output);
    void (*add)(
        const uint8_t *a, const uint8_t *b, size_t count, const float scales[2], float offset, uint8_t *output);
    void (*double_sides)(const uint8_t *input, network_shape shape, uint8_t *output);
    void (*average)(const uint8_t *input, network_shape shape, float scale, float offset, uint8_t *output);
    void (*head)(
        const uint8_t *input, network_shape shape, const int8_t *weights, float scale, float offset, float *output);
    void (*probability)(const float *input, size_t width, size_t height, float *output);
} network_kernels;

/// The kernels that this processor can run, in order of speed; the functions above use those at index 0. NULL after the
/// last.
const network_kernels *network_available_kernels(size_t index);
