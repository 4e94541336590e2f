// The product of a matrix, included by `loops.h`.

/// Four bytes, repeated for each lane.
INLINED uint8x64 repeated(const uint8_t *from) {
    int32x16 words = LOAD(int32_t, from);
    return LOAD(uint8x64, &words);
}

#ifdef HAS_AVX512
/// The bytes of four panels, which instructions for all of them together clip.
INLINED uint8x64 four_panels(const partial_sums sums[MOST_PANELS], network_rounding rounding) {
    __m512i words[MOST_PANELS];
#pragma unroll
    for (size_t panel = 0; panel < MOST_PANELS; panel++) {
        float32x16 scales = LOAD(float32x16, rounding.scales + panel * LANES);
        float32x16 offsets = LOAD(float32x16, rounding.offsets + panel * LANES);
        words[panel] = to_words(__builtin_convertvector(sums[panel], float32x16) * scales + offsets);
    }
    __m512i halves[] = {_mm512_packs_epi32(words[0], words[1]), _mm512_packs_epi32(words[2], words[3])};
    // Each quarter has four bytes of each panel.
    __m512i quarters = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    __m512i all = _mm512_permutexvar_epi32(quarters, _mm512_packus_epi16(halves[0], halves[1]));
    return LOAD(uint8x64, &all);
}
#endif

/// The products of `rows` pixels with `panels` panels of weights, added to `first`. `outputs` is the distance of the
/// pixels in the output; the last `left` of them belong to these panels and those after; outputs beyond the first 8 *
/// `halves` of a panel alone are not needed.
INLINED void multiply_block(
    const uint8_t *input, size_t inputs, const int8_t *packed, partial_sums *first, size_t outputs, size_t left,
    network_rounding rounding, uint8_t *output, const size_t rows, const size_t panels, const size_t halves) {
    // The compiler keeps these in registers: `rows` and `panels` are constants after inlining, and the loops over them
    // are unrolled.
    partial_sums sums[MOST_ROWS][MOST_PANELS];
    uint8x64 weights[MOST_PANELS];
#pragma unroll
    for (size_t row = 0; row < rows; row++) {
#pragma unroll
        for (size_t panel = 0; panel < panels; panel++) {
            LOAD_AGAIN(first[panel]);
            sums[row][panel] = first[panel];
        }
    }
    size_t k = 0;
#ifdef BY_LANE
    const uint8_t *from[MOST_ROWS];
#pragma unroll
    for (size_t row = 0; row < rows; row++) {
        // Unknown to the compiler, which would compute all from their distances, and spill those.
        from[row] = row == 0 ? input : from[row - 1] + inputs;
        __asm__("" : "+r"(from[row]));
    }
    for (; k + LANES <= inputs; k += LANES) add_products(sums, from, k, packed + k * LANES, rows, halves);
#else
    (void)halves;
#endif
    for (; k < inputs; k += DEPTH) {
#pragma unroll
        for (size_t panel = 0; panel < panels; panel++)
            weights[panel] = LOAD(uint8x64, packed + (panel * inputs + k) * LANES);
#pragma unroll
        for (size_t row = 0; row < rows; row++) {
            uint8x64 pixel = repeated(input + row * inputs + k) ^ FLIP;
#pragma unroll
            for (size_t panel = 0; panel < panels; panel++) sums[row][panel] = dot(sums[row][panel], pixel, weights[panel]);
        }
    }
#ifdef HAS_AVX512
    if (panels == MOST_PANELS && left >= MOST_PANELS * LANES) {
#pragma unroll
        for (size_t row = 0; row < rows; row++) STORE(output + row * outputs, four_panels(sums[row], rounding));
        return;
    }
#endif
#pragma unroll
    for (size_t panel = 0; panel < panels; panel++) {
        size_t channel = panel * LANES;
        uint8x16 bytes[MOST_ROWS];
#ifdef BY_LANE
        scale_rows(sums, rounding.scales, rounding.offsets, bytes, rows);
#else
        float32x16 scales = LOAD(float32x16, rounding.scales + channel);
        float32x16 offsets = LOAD(float32x16, rounding.offsets + channel);
#pragma unroll
        for (size_t row = 0; row < rows; row++) bytes[row] = to_scaled_bytes(total(sums[row][panel]), scales, offsets);
#endif
        if (left - channel >= LANES)
#pragma unroll
            for (size_t row = 0; row < rows; row++) STORE(output + row * outputs + channel, bytes[row]);
        else if (left - channel == LANES / 2)
#pragma unroll
            for (size_t row = 0; row < rows; row++) memcpy(output + row * outputs + channel, &bytes[row], LANES / 2);
        else
            for (size_t row = 0; row < rows; row++) {
                // A copy, as `bytes` stay in registers if their address is not needed.
                uint8x16 all = bytes[row];
                memcpy(output + row * outputs + channel, &all, left - channel);
            }
    }
}

/// The products of all pixels with `panels` panels.
INLINED void multiply_panels(
    const uint8_t *input, size_t pixels, size_t inputs, const int8_t *packed, size_t outputs, size_t left,
    network_rounding rounding, uint8_t *output, const size_t panels, const size_t halves) {
    const size_t rows = ROWS(panels);
    partial_sums first[MOST_PANELS];
#pragma unroll
    for (size_t panel = 0; panel < panels; panel++)
        first[panel] = first_sums(packed + panel * inputs * LANES, inputs * LANES);
#define BLOCK(pixel, rows) \
    multiply_block( \
        input + (pixel) * inputs, inputs, packed, first, outputs, left, rounding, output + (pixel) * outputs, rows, \
        panels, halves)
    if (pixels < rows) {
        for (size_t pixel = 0; pixel < pixels; pixel++) BLOCK(pixel, 1);
        return;
    }
    // The second block may overlap the first one, which gives the same bytes again.
    size_t step = pixels % rows == 0 ? rows : pixels % rows;
    for (size_t pixel = 0; pixel < pixels; pixel += step, step = rows) BLOCK(pixel, rows);
#undef BLOCK
}

static void multiply(
    const uint8_t *input, size_t pixels, size_t inputs, const int8_t *packed, size_t outputs, network_rounding rounding,
    uint8_t *output) {
    for (size_t first = 0; first < outputs; first += MOST_PANELS * LANES) {
        size_t left = outputs - first;
        network_rounding at = {rounding.scales + first, rounding.offsets + first};
#define PANELS(panels, halves) \
    multiply_panels(input, pixels, inputs, packed + first * inputs, outputs, left, at, output + first, panels, halves)
#if MOST_PANELS == 1
        if (left > LANES / 2)
            PANELS(1, 2);
        else
            PANELS(1, 1);
#elif MOST_PANELS == 4
        if (left > 3 * LANES)
            PANELS(4, 2);
        else if (left > 2 * LANES)
            PANELS(3, 2);
        else if (left > LANES)
            PANELS(2, 2);
        else
            PANELS(1, 2);
#else
#error "add the missing numbers of panels"
#endif
#undef PANELS
    }
}
