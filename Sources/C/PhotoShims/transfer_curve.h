#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Makes high dynamic range look as it does on an SDR display: from a signal of SMPTE ST 2084 (PQ) or ARIB STD-B67
/// (HLG) to sRGB's, for each of red, green and blue. Reference white, 203 cd/m² (ITU-R BT.2408, table 1), becomes
/// sRGB's white less a little headroom, into which what is brighter is compressed.
enum { TRANSFER_STEPS = 4096 };

typedef struct transfer_curve {
    /// By the signal, from 0 to full in TRANSFER_STEPS steps; NULL if nothing has to be converted.
    uint8_t *values;
} transfer_curve;

/// `transfer` is a number of ITU-T H.273, 8.2. Any other than those of PQ and HLG opens nothing.
void transfer_curve_open(transfer_curve *curve, int transfer);
/// The sRGB value of a signal of 8 bits, or of 16.
uint8_t transfer_curve_of_byte(const transfer_curve *curve, uint8_t signal);
uint8_t transfer_curve_of_word(const transfer_curve *curve, uint16_t signal);
void transfer_curve_close(transfer_curve *curve);
