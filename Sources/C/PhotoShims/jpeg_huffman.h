#pragma once

#include "jpeg_job.h"

/// Replaces libjpeg's decoding of Huffman codes, an internal part, with a faster one that gives the same coefficients
/// and errors. Call it after jpeg_start_decompress. Has no effect, and returns NULL, without the internals, if the file
/// is progressive, has several scans or arithmetic coding, or if memory ran out; otherwise, free the result after the
/// last row.
jpeg_huffman *jpeg_huffman_install(jpeg_job *job);
