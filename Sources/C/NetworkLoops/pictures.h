// Colors, sums and sizes of pictures, and the last convolution, included by `loops.h`.

static void colors(const uint8_t *pixels, size_t count, uint8_t neutral, uint8_t *output) {
    enum { RED_GREEN_BLUE = 3, RGBA = 4, PIXELS = LANES / RGBA };
    for (size_t pixel = 0; pixel < count;) {
        uint8x16 next = 0;
        if (pixel + PIXELS <= count) next = LOAD(uint8x16, pixels + pixel * RGBA);
        if (next[3] == 255 && next[7] == 255 && next[11] == 255 && next[15] == 255) {
            next = __builtin_shufflevector(next, next, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
            memcpy(output + pixel * RED_GREEN_BLUE, &next, PIXELS * RED_GREEN_BLUE);
            pixel += PIXELS;
            continue;
        }
        const uint8_t *from = pixels + pixel * RGBA;
        for (size_t channel = 0; channel < RED_GREEN_BLUE; channel++)
            output[pixel * RED_GREEN_BLUE + channel] =
                (uint8_t)((from[channel] * from[3] + neutral * (255 - from[3]) + 127) / 255);
        pixel++;
    }
}

static void add(
    const uint8_t *a, const uint8_t *b, size_t count, const float scales[2], float offset, uint8_t *output) {
    for (size_t index = 0; index < count; index += LANES) {
        float32x16 first = __builtin_convertvector(LOAD(uint8x16, a + index), float32x16) * scales[0];
        float32x16 second = __builtin_convertvector(LOAD(uint8x16, b + index), float32x16) * scales[1];
        STORE(output + index, to_bytes(first + second + offset));
    }
}

/// Of 16 channels of a column, 3/4 in one row and 1/4 in another, times 4.
INLINED uint16x16 mixed(const uint8_t *near, const uint8_t *far) {
    return __builtin_convertvector(LOAD(uint8x16, near), uint16x16) * 3 +
           __builtin_convertvector(LOAD(uint8x16, far), uint16x16);
}

static void double_sides(const uint8_t *input, network_shape shape, uint8_t *output) {
    const size_t stripe = shape.width * shape.channels;
    for (size_t y = 0; y < 2 * shape.height; y++) {
        for (size_t channel = 0; channel < shape.channels; channel += LANES) {
            const uint8_t *near = input + y / 2 * stripe + channel;
            const uint8_t *far = input + farther(y, shape.height) * stripe + channel;
            uint8_t *to = output + y * 2 * stripe + channel;
            uint16x16 here = mixed(near, far), before = here;
            for (size_t x = 0; x < shape.width; x++, to += 2 * shape.channels) {
                size_t after = (x + 1) * shape.channels;
                uint16x16 next = after < stripe ? mixed(near + after, far + after) : here;
                STORE(to, __builtin_convertvector((here * 3 + before + 8) >> 4, uint8x16));
                STORE(to + shape.channels, __builtin_convertvector((here * 3 + next + 8) >> 4, uint8x16));
                before = here;
                here = next;
            }
        }
    }
}

static void average(const uint8_t *input, network_shape shape, float scale, float offset, uint8_t *output) {
    for (size_t channel = 0; channel < shape.channels; channel += LANES) {
        int32x16 sums = 0;
        for (size_t pixel = 0; pixel < shape.width * shape.height; pixel++)
            sums += __builtin_convertvector(LOAD(uint8x16, input + pixel * shape.channels + channel), int32x16);
        STORE(output + channel, to_scaled_bytes(sums, scale, offset));
    }
}

static void head(
    const uint8_t *input, network_shape shape, const int8_t *weights, float scale, float offset, float *output) {
    enum { SIDE = 3 };
    for (size_t y = 0; y < shape.height; y++) {
        // Of the three rows, those inside the picture.
        const size_t first = y > 0 ? 0 : 1, last = y + 1 < shape.height ? SIDE : SIDE - 1;
        for (size_t x = 0; x < shape.width; x++) {
            const size_t left = x > 0 ? 0 : 1, right = x + 1 < shape.width ? SIDE : SIDE - 1;
            int32x8 sums = 0;
            for (size_t row = first; row < last; row++) {
                for (size_t column = left; column < right; column++) {
                    const size_t place = (y + row - 1) * shape.width + x + column - 1;
                    uint8x16 pixel = LOAD(uint8x16, input + place * LANES);
                    int8x16 factors = LOAD(int8x16, weights + (row * SIDE + column) * LANES);
                    int32x16 products =
                        __builtin_convertvector(pixel, int32x16) * __builtin_convertvector(factors, int32x16);
#ifdef HAS_NEON
                    sums += products.lo + products.hi;
#else
                    // Of pairs, which SSE2 multiplies and adds by one instruction.
                    sums += products.even + products.odd;
#endif
                }
            }
            *output++ = (float)__builtin_reduce_add(sums) * scale + offset;
        }
    }
}
