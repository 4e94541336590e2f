// From numbers to probabilities, included by `loops.h`.

/// 1 / (1 + e^-x).
INLINED float32x16 logistic(float32x16 x) {
    // Beyond, the result is 0 or 1 to 3e-9.
    x = __builtin_elementwise_min(__builtin_elementwise_max(x, (float32x16)-20), (float32x16)20);
    // e^-x = 2^exponent = 2^whole * 2^rest, with rest in -0.5...0.5.
    float32x16 exponent = x * -0x1.715476p+0f;
    // Floats around 1.5 * 2^23 are whole numbers: this sum is rounded, and its lowest bits are `whole`.
    float32x16 shifted = exponent + 0x1.8p23f;
    float32x16 rest = exponent - (shifted - 0x1.8p23f);
    // The Taylor polynomial of 2^rest: its coefficients are ln(2)^n / n!.
    float32x16 power = 0x1.430912p-13f;
    power = power * rest + 0x1.5d87fep-10f;
    power = power * rest + 0x1.3b2ab6p-7f;
    power = power * rest + 0x1.c6b08ep-5f;
    power = power * rest + 0x1.ebfbep-3f;
    power = power * rest + 0x1.62e43p-1f;
    power = power * rest + 1;
    // Adding to a float's exponent, its bits from 23 on, multiplies it by a power of 2.
    uint32x16 bits = LOAD(uint32x16, &power) + (LOAD(uint32x16, &shifted) << 23);
    return 1 / (1 + LOAD(float32x16, &bits));
}

static void probability(const float *input, size_t width, size_t height, float *output) {
    for (size_t y = 0; y < 2 * height; y++, output += 2 * width) {
        const float *near = input + y / 2 * width, *far = input + farther(y, height) * width;
        float here = near[0] * 0.75f + far[0] * 0.25f, before = here;
        for (size_t x = 0; x < width; x++) {
            float next = x + 1 < width ? near[x + 1] * 0.75f + far[x + 1] * 0.25f : here;
            output[2 * x] = here * 0.75f + before * 0.25f;
            output[2 * x + 1] = here * 0.75f + next * 0.25f;
            before = here;
            here = next;
        }
        for (size_t x = 0; x < 2 * width; x += LANES) STORE(output + x, logistic(LOAD(float32x16, output + x)));
    }
}
