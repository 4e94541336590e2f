#include "CNetworkLoops.h"
#include "vectors.h"

/// 1 / (1 + e^-x).
INLINED float16 logistic(float16 x) {
    // Beyond, the result is 0 or 1 to 2e-9.
    x = __builtin_elementwise_min(__builtin_elementwise_max(x, (float16)-20), (float16)20);
    // e^-x = 2^power * 2^rest, with rest in -0.5...0.5; 2^rest by its Taylor polynomial.
    float16 exponent = x * -0x1.715476p+0f;
    // Floats around 1.5 * 2^23 are whole numbers.
    float16 magic = exponent + 0x1.8p23f;
    float16 rest = exponent - (magic - 0x1.8p23f);
    float16 power = 0x1.430912p-13f;
    power = power * rest + 0x1.5d87fep-10f;
    power = power * rest + 0x1.3b2ab6p-7f;
    power = power * rest + 0x1.c6b08ep-5f;
    power = power * rest + 0x1.ebfbep-3f;
    power = power * rest + 0x1.62e43p-1f;
    power = power * rest + 1;
    int16 bits, whole;
    memcpy(&bits, &power, sizeof bits);
    memcpy(&whole, &magic, sizeof whole);
    bits += whole << 23;
    memcpy(&power, &bits, sizeof power);
    return 1 / (1 + power);
}

void network_probability(const float *input, size_t width, size_t height, float *output) {
    for (size_t y = 0; y < 2 * height; y++) {
        size_t near = y / 2;
        size_t far = y % 2 == 0 ? (near > 0 ? near - 1 : 0) : (near + 1 < height ? near + 1 : near);
        const float *rows[2] = {input + near * width, input + far * width};
        float *to = output + y * 2 * width;
#define MIXED(x) (rows[0][x] * 0.75f + rows[1][x] * 0.25f)
        for (size_t x = 0; x < width; x++) {
            float here = MIXED(x), before = x > 0 ? MIXED(x - 1) : here, next = x + 1 < width ? MIXED(x + 1) : here;
            to[2 * x] = here * 0.75f + before * 0.25f;
            to[2 * x + 1] = here * 0.75f + next * 0.25f;
        }
        for (size_t x = 0; x < 2 * width; x += LANES) STORE(to + x, logistic(LOAD(float16, to + x)));
    }
}
