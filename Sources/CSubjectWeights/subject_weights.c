#include "CSubjectWeights.h"

// clang takes #embed in every mode and tracks the file; the package keeps its C standard for this one line.
#pragma clang diagnostic ignored "-Wc23-extensions"

_Alignas(64) static const unsigned char weights[] = {
#embed "subject.safetensors"
};

const unsigned char *subject_weights(void) { return weights; }
size_t subject_weights_size(void) { return sizeof weights; }
