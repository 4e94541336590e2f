#pragma once
#include <stddef.h>

/// The embedded `subject.safetensors`, `subject_weights_size()` bytes that exist for the life of the process.
const unsigned char *subject_weights(void);
size_t subject_weights_size(void);

/// Takes the file's pages out of the process's memory. The kernel reads them from the binary again if they are used.
void subject_weights_unload(void);
