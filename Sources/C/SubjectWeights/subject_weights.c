#define _DEFAULT_SOURCE
#include "CSubjectWeights.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// clang supports #embed in every mode and tracks the embedded file; only this line needs the C23 extension.
#pragma clang diagnostic ignored "-Wc23-extensions"

_Alignas(64) static const unsigned char weights[] = {
#embed "subject.safetensors"
};

const unsigned char *subject_weights(void) { return weights; }
size_t subject_weights_size(void) { return sizeof weights; }

void subject_weights_unload(void) {
    // Whole pages of the array only: its neighbors may share the first and the last one.
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)weights + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)weights + sizeof weights) / page * page;
    // Read-only and never written, so there is nothing to lose. A failure only costs the memory.
    if (first < end) madvise((void *)first, end - first, MADV_DONTNEED);
}
