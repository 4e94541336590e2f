#include "transfer_curve.h"

#include <math.h>
#include <stdlib.h>

// Fused operations would give other last bits on processors that have them.
#pragma STDC FP_CONTRACT OFF

enum { PQ = 16, HLG = 18 };

/// Of reference white.
static double luminance(int transfer, double signal) {
    if (transfer == PQ) {
        // SMPTE ST 2084, equation 4.1, in cd/m².
        double power = pow(signal, 32.0 / 2523);
        double ratio = fmax(power - 3424.0 / 4096, 0) / (2413.0 / 128 - 2392.0 / 128 * power);
        return 10000 * pow(ratio, 16384.0 / 2610) / 203;
    }
    // ITU-R BT.2100, table 5: the inverse OETF, then the OOTF of a display of 1000 cd/m² for equal red, green and blue.
    // There, reference white is a signal of 75 %.
    double scene = signal <= .5 ? signal * signal / 3 : (exp((signal - .55991073) / .17883277) + .28466892) / 12;
    return 1000 * pow(scene, 1.2) / 203;
}

/// Up to the knee as it is; what is brighter approaches white, which a light of 1000 cd/m² reaches but for one step.
static double compressed(double light) {
    const double knee = .8;
    return light <= knee ? light : 1 - (1 - knee) * exp(-(light - knee) / (1 - knee) / 2);
}

static double encoded(double light) { return light <= .0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - .055; }

void transfer_curve_open(transfer_curve *curve, int transfer) {
    if (transfer != PQ && transfer != HLG) return;
    curve->values = malloc(TRANSFER_STEPS);
    for (int step = 0; curve->values != NULL && step < TRANSFER_STEPS; step++)
        curve->values[step] =
            (uint8_t)(255 * encoded(compressed(luminance(transfer, (double)step / (TRANSFER_STEPS - 1)))) + .5);
}

uint8_t transfer_curve_of_byte(const transfer_curve *curve, uint8_t signal) {
    return transfer_curve_of_word(curve, (uint16_t)(signal * 257));
}

uint8_t transfer_curve_of_word(const transfer_curve *curve, uint16_t signal) {
    return curve->values[(signal * (uint32_t)(TRANSFER_STEPS - 1) + UINT16_MAX / 2) / UINT16_MAX];
}

void transfer_curve_close(transfer_curve *curve) {
    free(curve->values);
    curve->values = NULL;
}
