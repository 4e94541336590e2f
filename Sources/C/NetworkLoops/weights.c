#include "CNetworkLoops.h"
#include "vectors.h"

INLINED uint32_t bits_of(float number) { return LOAD(uint32_t, &number); }

void network_widen(const void *halves, size_t count, float *output) {
    // A half has 5 bits of exponent with a bias of 15 and 10 of mantissa, a float 8 with a bias of 127 and 23.
    enum { SHIFT = 13, EXPONENT = 0x1f << 10, BIASES = (127 - 15) << 23 };
    for (size_t index = 0; index < count; index++) {
        uint32_t half = LOAD(uint16_t, (const uint8_t *)halves + index * sizeof(uint16_t)), exponent = half & EXPONENT;
        uint32_t normal = ((half & 0x7fff) << SHIFT) + BIASES;
        // As a whole number: arithmetic with subnormal floats is slow.
        uint32_t subnormal = bits_of((float)(int32_t)(half & 0x3ff) * 0x1p-24f);
        uint32_t magnitude = exponent == 0 ? subnormal : exponent == EXPONENT ? normal + BIASES : normal;
        uint32_t bits = magnitude | (half & 0x8000) << 16;
        output[index] = LOAD(float, &bits);
    }
}

int network_are_finite(const float *numbers, size_t count) {
    const uint32_t infinite = 0x7f800000;
    uint32_t found = 0;
    for (size_t index = 0; index < count; index++) found |= (bits_of(numbers[index]) & infinite) == infinite;
    return found == 0;
}

/// Weights and bytes are at every `step`th index.
INLINED network_quantization quantized(const float *weights, size_t count, size_t step, int8_t *bytes) {
    // The bits of magnitudes are in the same order as the magnitudes.
    uint32_t largest = 0;
    for (size_t index = 0; index < count; index++) {
        uint32_t magnitude = bits_of(weights[index * step]) & INT32_MAX;
        largest = magnitude > largest ? magnitude : largest;
    }
    network_quantization result = {largest > 0 ? LOAD(float, &largest) / 127.0 : 1, 0};
    for (size_t index = 0; index < count; index++) {
        // Doubles from 2^52 on are whole numbers: this sum is rounded, and its lowest bits are the result.
        double sum = weights[index * step] / result.scale + 0x1.8p52;
        int8_t byte = (int8_t)LOAD(int64_t, &sum);
        bytes[index * step] = byte;
        result.sum += byte;
    }
    return result;
}

void network_quantize(
    const float *weights, size_t channels, size_t count, int8_t *bytes, network_quantization *quantizations) {
    const size_t row = (count + DEPTH - 1) / DEPTH * DEPTH;
    for (size_t channel = 0; channel < channels; channel++, weights += count, bytes += row) {
        quantizations[channel] = quantized(weights, count, 1, bytes);
        memset(bytes + count, 0, row - count);
    }
}

void network_quantize_depthwise(
    const float *weights, size_t channels, size_t count, int8_t *bytes, network_quantization *quantizations) {
    for (size_t channel = 0; channel < channels; channel++)
        quantizations[channel] = quantized(weights + channel, count, channels, bytes + channel);
}
