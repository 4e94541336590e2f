#include "CNetworkLoops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

static network_shape random_shape(size_t most, size_t channels) {
    return (network_shape){1 + random_below(most), 1 + random_below(most), channels};
}

static size_t bytes_of(network_shape shape) { return shape.width * shape.height * shape.channels; }

/// Of sums of `terms` products, so that most results are no clipped bytes.
static network_rounding random_rounding(size_t channels, size_t terms) {
    float typical = 100 / (128 * 64 * (float)terms);
    return (network_rounding){random_floats(channels, 0, typical * 8), random_floats(channels, 0, 255)};
}

/// Weights from -127 to 127, in a quarter of the cases only these two.
static int8_t *random_weights(size_t count) {
    int8_t *weights = random_bytes(count);
    size_t limit = random_below(4) == 0 ? 0 : 127;
    for (size_t index = 0; index < count; index++)
        weights[index] = weights[index] < -(int)limit ? -127 : weights[index] > (int)limit ? 127 : weights[index];
    return weights;
}

/// Adds a result of the first kernels to the hash, and ends if another's is not the same.
static void add_result(const network_kernels *kernels, const void *result, void *expected, size_t size) {
    if (kernels == network_available_kernels(0)) add_to_hash(memcpy(expected, result, size), size);
    if (memcmp(result, expected, size) == 0) return;
    fprintf(stderr, "the kernels %s differ from %s\n", kernels->name, network_available_kernels(0)->name);
    exit(1);
}

/// Runs CALL, which writes `count` elements at `output`, with all kernels.
#define WITH_KERNELS(count, CALL) \
    do { \
        size_t size = (count) * sizeof *output; \
        void *expected = random_bytes(size); \
        const network_kernels *kernels; \
        for (size_t index = 0; (kernels = network_available_kernels(index)) != NULL; index++) { \
            memset(output, (int)index, size); \
            kernels->CALL; \
            add_result(kernels, output, expected, size); \
        } \
    } while (0)

static void multiply(void) {
    size_t pixels = 1 + random_below(40), inputs = 4 * (1 + random_below(80)), outputs = 8 * (1 + random_below(20));
    size_t padded = network_padded(outputs), count = pixels * outputs;
    const uint8_t *input = random_bytes(pixels * inputs);
    int8_t *packed = random_bytes(padded * inputs);
    network_pack(random_weights(outputs * inputs), outputs, inputs, packed);
    add_to_hash(packed, padded * inputs);
    network_rounding rounding = random_rounding(padded, inputs);
    uint8_t *output = random_bytes(count);
    WITH_KERNELS(count, multiply(input, pixels, inputs, packed, outputs, rounding, output));
}

static void depthwise(void) {
    network_shape shape = random_shape(20, 16 * (1 + random_below(4)));
    size_t kernel = 3 + 2 * random_below(2), stride = 1 + random_below(2);
    size_t size = network_depthwise_size(shape.channels, kernel);
    const uint8_t *input = random_bytes(bytes_of(shape));
    int8_t *packed = random_bytes(size);
    network_pack_depthwise(random_weights(shape.channels * kernel * kernel), shape.channels, kernel, packed);
    add_to_hash(packed, size);
    network_rounding rounding = random_rounding(shape.channels, kernel * kernel);
    uint8_t *scratch = random_bytes(network_depthwise_scratch(shape.width));
    size_t count = ((shape.width - 1) / stride + 1) * ((shape.height - 1) / stride + 1) * shape.channels;
    uint8_t *output = random_bytes(count);
    WITH_KERNELS(count, depthwise(input, shape, kernel, stride, packed, rounding, scratch, output));
}

static void neighborhoods(void) {
    network_shape shape = {2 * (1 + random_below(20)), 2 * (1 + random_below(20)), 3};
    const uint8_t *input = random_bytes(bytes_of(shape));
    size_t count = shape.width * shape.height / 4 * 28;
    uint8_t *output = random_bytes(count);
    network_neighborhoods(input, shape, (uint8_t)random_below(256), output);
    add_to_hash(output, count);
}

static void colors(void) {
    size_t count = 1 + random_below(100);
    uint8_t *pixels = random_bytes(4 * count), neutral = (uint8_t)random_below(256);
    // Of every so many pixels, one is not opaque.
    size_t distance = 1 + random_below(8);
    for (size_t pixel = 0; pixel < count; pixel++)
        if (random_below(distance) != 0) pixels[4 * pixel + 3] = 255;
    uint8_t *output = random_bytes(3 * count);
    WITH_KERNELS(3 * count, colors(pixels, count, neutral, output));
}

static void add(void) {
    size_t count = 16 * (1 + random_below(100));
    const uint8_t *a = random_bytes(count), *b = random_bytes(count);
    const float *scales = random_floats(2, -1, 2);
    float offset = random_float(-100, 100);
    uint8_t *output = random_bytes(count);
    WITH_KERNELS(count, add(a, b, count, scales, offset, output));
}

static void doubled(void) {
    network_shape shape = random_shape(12, 16 * (1 + random_below(4)));
    const uint8_t *input = random_bytes(bytes_of(shape));
    uint8_t *output = random_bytes(4 * bytes_of(shape));
    WITH_KERNELS(4 * bytes_of(shape), double_sides(input, shape, output));
}

static void average(void) {
    network_shape shape = random_shape(20, 16 * (1 + random_below(4)));
    const uint8_t *input = random_bytes(bytes_of(shape));
    uint8_t *output = random_bytes(shape.channels);
    float scale = random_float(.5f, 2) / (float)(shape.width * shape.height), offset = random_float(-100, 100);
    WITH_KERNELS(shape.channels, average(input, shape, scale, offset, output));
}

static void head(void) {
    network_shape shape = random_shape(20, 16);
    const uint8_t *input = random_bytes(bytes_of(shape));
    const int8_t *weights = random_weights(9 * 16);
    float scale = random_float(0, .01f), offset = random_float(-10, 10);
    size_t count = shape.width * shape.height;
    float *output = random_bytes(count * sizeof(float));
    WITH_KERNELS(count, head(input, shape, weights, scale, offset, output));
}

static void probability(void) {
    size_t width = 8 * (1 + random_below(6)), height = 1 + random_below(20), count = 4 * width * height;
    const float *input = random_floats(width * height, -25, 25);
    float *output = random_bytes(count * sizeof(float));
    WITH_KERNELS(count, probability(input, width, height, output));
}

static void widen(void) {
    size_t count = 1 + random_below(200);
    const void *halves = random_bytes(2 * count);
    float *output = random_bytes(count * sizeof(float));
    network_widen(halves, count, output);
    add_to_hash(&(int){network_are_finite(output, count)}, sizeof(int));
    add_to_hash(output, count * sizeof(float));
}

static void add_quantized(
    const int8_t *bytes, size_t count, const network_quantization *quantizations, size_t channels) {
    add_to_hash(bytes, count);
    for (size_t channel = 0; channel < channels; channel++) {
        add_to_hash(&quantizations[channel].scale, sizeof(double));
        add_to_hash(&quantizations[channel].sum, sizeof(int32_t));
    }
}

static void quantize(void) {
    size_t channels = 1 + random_below(40), count = 1 + random_below(100), padded = channels * ((count + 3) / 4 * 4);
    float largest = random_float(1e-6f, 10);
    const float *weights = random_floats(channels * count, -largest, largest);
    int8_t *bytes = random_bytes(padded);
    network_quantization *quantizations = random_bytes(channels * sizeof(network_quantization));
    network_quantize(weights, channels, count, bytes, quantizations);
    add_quantized(bytes, padded, quantizations, channels);
    network_quantize_depthwise(weights, channels, count, bytes, quantizations);
    add_quantized(bytes, channels * count, quantizations, channels);
}

const loop network_loops[] = {
    {"widen", widen}, {"quantize", quantize},
    {"multiply", multiply}, {"depthwise", depthwise}, {"neighborhoods", neighborhoods}, {"colors", colors},
    {"add", add}, {"double", doubled}, {"average", average}, {"head", head}, {"probability", probability}, {NULL, NULL},
};
