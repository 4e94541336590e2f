#include "CSubjectWeights.h"

// clang supports #embed in every mode and tracks the embedded file; only this line needs the C23 extension.
#pragma clang diagnostic ignored "-Wc23-extensions"

_Alignas(64) static const unsigned char weights[] = {
#embed "subject.safetensors"
};

const unsigned char *subject_weights(void) { return weights; }
size_t subject_weights_size(void) { return sizeof weights; }
