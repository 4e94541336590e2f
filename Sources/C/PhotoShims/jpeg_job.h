#pragma once

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "block_averager.h"
#include "eighths_reducer.h"
#include "photo_result.h"

// The interface of libjpeg 8, which Ubuntu has, divides these by sides. libjpeg-turbo scales both sides equally.
#if JPEG_LIB_VERSION >= 70
#define DCT_scaled_size DCT_h_scaled_size
#define min_DCT_scaled_size min_DCT_h_scaled_size
#endif

/// The parts of an ICC profile, which may come in any order (ICC.1:2010, annex B.4), by their numbers from 1 on.
typedef struct jpeg_profile_pieces {
    uint8_t *bytes[256];
    uint16_t counts[256];
    uint8_t total;
    size_t sum;
    /// The parts contradict each other or are too many, so the profile is ignored.
    bool is_broken;
} jpeg_profile_pieces;

/// The decoder of Huffman codes (`jpeg_huffman.h`).
typedef struct jpeg_huffman jpeg_huffman;

/// The packed coefficients (`jpeg_coefficients.h`).
typedef struct jpeg_coefficients jpeg_coefficients;

/// All state of one decoding. libjpeg passes its address to every callback (`client_data`).
typedef struct jpeg_job {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    struct jpeg_source_mgr reader;
    jmp_buf escape;
    photo_source source;
    photo_limits limits;
    photo_request request;
    uint64_t offset;
    /// libjpeg's internals are not used.
    bool is_public;
    /// The file ended where libjpeg expected more data.
    bool ran_out;
    /// Image data is missing from this row of blocks on; 0 if none is. Only the last rows may be missing.
    JDIMENSION lost_row;
    /// A restart marker had a wrong number.
    bool was_misnumbered;
    uint8_t *buffer;
    /// What libjpeg has not yet been given of it.
    uint8_t *rest;
    size_t rest_count;
    /// Two rows, in turns.
    uint8_t *rows;
    /// NULL if libjpeg decodes the codes.
    jpeg_huffman *huffman;
    /// NULL if libjpeg keeps the coefficients.
    jpeg_coefficients *coefficients;
    /// libjpeg's own decoding of a scan's data, once it is replaced (`jpeg_scans.h`).
    int (*consume_data)(j_decompress_ptr info);
    jpeg_profile_pieces pieces;
    uint8_t *profile;
    color_transform *colors;
    /// The scale at which the photo is decoded; `reducer` takes part at some.
    uint32_t eighths;
    eighths_reducer reducer;
    block_averager averager;
    photo_result result;
} jpeg_job;

static inline jpeg_job *job_of(void *info) { return ((j_common_ptr)info)->client_data; }

/// Ends the decoding; the result has the reason.
_Noreturn static inline void jpeg_give_up(jpeg_job *job) { longjmp(job->escape, 1); }

/// Refills the buffer. Exits by longjmp if the file cannot be read.
boolean jpeg_job_read_more(j_decompress_ptr info);
/// Skips input, buffered or not.
void jpeg_job_skip(j_decompress_ptr info, long count);

/// Keeps the first Exif block; skips the rest of APP1.
boolean jpeg_take_app1(j_decompress_ptr info);
/// Keeps the parts of an ICC profile; skips the rest of APP2.
boolean jpeg_take_app2(j_decompress_ptr info);
/// Joins the parts; NULL if the profile is incomplete. Allocated by malloc.
uint8_t *jpeg_join_profile(jpeg_job *job, size_t *count);
void jpeg_free_pieces(jpeg_profile_pieces *pieces);
