#include <stdlib.h>
#include <string.h>

#include "jpeg_job.h"

// `jpeg_save_markers` would keep every APP1 and APP2 segment in memory, without limit.

static uint8_t next_byte(j_decompress_ptr info) {
    jpeg_job *job = job_of(info);
    if (job->reader.bytes_in_buffer == 0) jpeg_job_read_more(info);
    job->reader.bytes_in_buffer--;
    return *job->reader.next_input_byte++;
}

static long segment_length(j_decompress_ptr info) {
    long length = next_byte(info) << 8;
    return (length | next_byte(info)) - 2;
}

static bool has_name(j_decompress_ptr info, const void *name, size_t count) {
    bool is_equal = true;
    for (size_t index = 0; index < count; index++) is_equal &= next_byte(info) == ((const uint8_t *)name)[index];
    return is_equal;
}

boolean jpeg_take_app1(j_decompress_ptr info) {
    static const char name[6] = "Exif\0";
    photo_result *result = &job_of(info)->result;
    long left = segment_length(info);
    if (left > (long)sizeof name && result->exif == NULL) {
        bool is_exif = has_name(info, name, sizeof name);
        left -= sizeof name;
        if (is_exif && (result->exif = malloc((size_t)left)) != NULL) {
            result->exif_count = (size_t)left;
            for (size_t index = 0; left > 0; index++, left--) result->exif[index] = next_byte(info);
        }
    }
    jpeg_job_skip(info, left);
    return TRUE;
}

boolean jpeg_take_app2(j_decompress_ptr info) {
    static const char name[12] = "ICC_PROFILE";
    jpeg_profile_pieces *pieces = &job_of(info)->pieces;
    long left = segment_length(info);
    if (left > (long)sizeof name + 2 && !pieces->is_broken) {
        bool is_profile = has_name(info, name, sizeof name);
        left -= sizeof name;
        if (is_profile) {
            uint8_t number = next_byte(info), total = next_byte(info);
            left -= 2;
            pieces->is_broken = number == 0 || number > total || (pieces->total > 0 && total != pieces->total)
                || pieces->bytes[number] != NULL || pieces->sum + (size_t)left > PHOTO_MAX_PROFILE_BYTES;
            uint8_t *bytes = pieces->is_broken ? NULL : malloc((size_t)left);
            if (bytes != NULL) {
                pieces->total = total;
                pieces->bytes[number] = bytes;
                pieces->counts[number] = (uint16_t)left;
                pieces->sum += (size_t)left;
                for (size_t index = 0; left > 0; index++, left--) bytes[index] = next_byte(info);
            }
        }
    }
    jpeg_job_skip(info, left);
    return TRUE;
}

uint8_t *jpeg_join_profile(jpeg_job *job, size_t *count) {
    const jpeg_profile_pieces *pieces = &job->pieces;
    if (pieces->is_broken || pieces->total == 0) return NULL;
    uint8_t *profile = malloc(pieces->sum);
    *count = 0;
    for (int number = 1; profile != NULL && number <= pieces->total; number++) {
        if (pieces->bytes[number] == NULL) {
            free(profile);
            return NULL;
        }
        memcpy(profile + *count, pieces->bytes[number], pieces->counts[number]);
        *count += pieces->counts[number];
    }
    return profile;
}

void jpeg_free_pieces(jpeg_profile_pieces *pieces) {
    for (int number = 0; number < 256; number++) {
        free(pieces->bytes[number]);
        pieces->bytes[number] = NULL;
    }
}
