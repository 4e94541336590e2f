// The product of a matrix on arm64, 16 bytes of a pixel at a time, included by `loops.h`.

/// The products of 16 bytes of each of `rows` pixels, `k` bytes from their beginnings, with the first 8 * `halves`
/// outputs of a panel of weights. It is in volatile assembly because the compiler would otherwise load so many weights
/// at once that they do not fit the registers.
INLINED void add_products(
    partial_sums (*sums)[1], const uint8_t *const *from, size_t k, const int8_t *packed, const size_t rows,
    const size_t halves) {
    uint8x16 pixels[MOST_ROWS], flip;
    if (FLIP != 0) __asm__ volatile("movi %0.16b, %1" : "=w"(flip) : "i"(FLIP) : "memory");
#pragma unroll
    for (size_t row = 0; row < rows; row++) {
        pixels[row] = LOAD(uint8x16, from[row] + k);
        if (FLIP != 0) __asm__ volatile("eor %0.16b, %0.16b, %1.16b" : "+w"(pixels[row]) : "w"(flip) : "memory");
    }
#ifdef DOT_LANE
#pragma unroll
    for (size_t part = 0; part < LANES / DEPTH; part++)
#pragma unroll
        for (size_t half = 0; half < halves; half++) {
            uint8x16 weights[2];
            memcpy(weights, packed + (2 * part + half) * sizeof weights, sizeof weights);
#pragma unroll
            for (size_t row = 0; row < rows; row++) {
                int32x4_t quarters[4];
                memcpy(quarters, &sums[row][0], sizeof quarters);
                __asm__ volatile(
                    DOT_LANE " %[a].4s, %[c].16b, %[pixels].4b[%[part]]\n\t"
                    DOT_LANE " %[b].4s, %[d].16b, %[pixels].4b[%[part]]"
                    : [a] "+w"(quarters[2 * half]), [b] "+w"(quarters[2 * half + 1])
                    : [c] "w"(weights[0]), [d] "w"(weights[1]), [pixels] "w"(pixels[row]), [part] "i"(part)
                    : "memory");
                memcpy(&sums[row][0], quarters, sizeof quarters);
            }
        }
#else
#pragma unroll
    for (size_t part = 0; part < LANES / DEPTH; part += 2) {
        int8x16_t weights[2][4];
        memcpy(weights, packed + part * sizeof *weights, sizeof weights);
#pragma unroll
        for (size_t row = 0; row < rows; row++) {
            quarter_sums quarters[4];
            memcpy(quarters, &sums[row][0], sizeof quarters);
            int32x4_t words = LOAD(int32x4_t, &pixels[row]);
            int8x16_t even = vreinterpretq_s8_s32(vdupq_n_s32(words[part]));
            int8x16_t odd = vreinterpretq_s8_s32(vdupq_n_s32(words[part + 1]));
#pragma unroll
            for (size_t quarter = 0; quarter < 2 * halves; quarter++)
                add_pair(&quarters[quarter], even, weights[0][quarter], odd, weights[1][quarter]);
            memcpy(&sums[row][0], quarters, sizeof quarters);
        }
    }
#endif
}

/// A quarter of `to_scaled_bytes`, not yet narrowed.
INLINED int32x4_t scaled_quarter(int32x4_t sums, float32x4_t scales, float32x4_t offsets) {
    return vcvtnq_s32_f32(vaddq_f32(vmulq_f32(vcvtq_f32_s32(sums), scales), offsets));
}

/// The same as `to_scaled_bytes`, but a half at a time: its scales and offsets fit the registers besides the sums,
/// unless the compiler loads those of the other half before.
INLINED void scale_rows(
    partial_sums (*sums)[1], const float *scales, const float *offsets, uint8x16 *bytes, const size_t rows) {
    int16x8_t halves[MOST_ROWS][2];
#pragma unroll
    for (size_t half = 0; half < 2; half++) {
        float32x4_t scale[2], offset[2];
        __asm__ volatile("" ::: "memory");
        memcpy(scale, scales + half * LANES / 2, sizeof scale);
        memcpy(offset, offsets + half * LANES / 2, sizeof offset);
#pragma unroll
        for (size_t row = 0; row < rows; row++) {
            int32x16 all = total(sums[row][0]);
            int32x4_t quarters[4];
            memcpy(quarters, &all, sizeof quarters);
            int32x4_t a = scaled_quarter(quarters[2 * half], scale[0], offset[0]);
            int32x4_t b = scaled_quarter(quarters[2 * half + 1], scale[1], offset[1]);
            halves[row][half] = vqmovn_high_s32(vqmovn_s32(a), b);
        }
    }
#pragma unroll
    for (size_t row = 0; row < rows; row++) {
        uint8x16_t narrow = vqmovun_high_s16(vqmovun_s16(halves[row][0]), halves[row][1]);
        bytes[row] = LOAD(uint8x16, &narrow);
    }
}
