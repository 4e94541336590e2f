// The product of a matrix, 16 bytes of a pixel at a time, included by `loops.h`.

/// Four of 16 bytes, repeated for each lane.
INLINED uint8x64 repeated_part(uint8x16 from, const size_t part) {
    typedef int32_t int32x4 __attribute__((ext_vector_type(4)));
    int32x16 words = LOAD(int32x4, &from)[part];
    return LOAD(uint8x64, &words);
}

/// Adds the products of 16 bytes of each of `rows` pixels, `inputs` apart, with a panel of weights.
INLINED void add_products(
    partial_sums (*sums)[1], const uint8_t *input, size_t inputs, const int8_t *packed, const size_t rows) {
    uint8x16 pixels[MOST_ROWS];
#pragma unroll
    for (size_t row = 0; row < rows; row++) pixels[row] = LOAD(uint8x16, input + row * inputs) ^ FLIP;
#pragma unroll
    for (size_t part = 0; part < LANES / DEPTH; part += 2) {
        const int8_t *from = packed + part * sizeof(uint8x64);
        uint8x64 weights = LOAD(uint8x64, from), more_weights = LOAD(uint8x64, from + sizeof weights);
#pragma unroll
        for (size_t row = 0; row < rows; row++)
            sums[row][0] = dot2(
                sums[row][0], repeated_part(pixels[row], part), weights, repeated_part(pixels[row], part + 1),
                more_weights);
    }
}
