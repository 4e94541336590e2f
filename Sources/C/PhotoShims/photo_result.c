#define _GNU_SOURCE
#include "photo_result.h"

#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int64_t photo_file_size(int descriptor) {
    struct stat status;
    // The raw system call: fstat(3) of glibc 2.33 to 2.38 calls newfstatat(2), which takes a path and is forbidden to a
    // worker.
    if (syscall(SYS_fstat, descriptor, &status) != 0) return -errno;
    return S_ISREG(status.st_mode) ? status.st_size : -ENOTSUP;
}

ssize_t photo_source_read(const photo_source *source, uint64_t offset, uint8_t *buffer, size_t capacity) {
    if (offset >= source->count || capacity == 0) return 0;
    if (capacity > source->count - offset) capacity = source->count - offset;
    if (source->bytes != NULL) {
        memcpy(buffer, source->bytes + offset, capacity);
        return (ssize_t)capacity;
    }
    size_t done = 0;
    while (done < capacity) {
        ssize_t got = pread(source->descriptor, buffer + done, capacity - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -errno;
        if (got == 0) break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

bool photo_source_ends_in_zeros(const photo_source *source, uint64_t offset, uint64_t count) {
    enum { MORE_THAN_ENCODERS_WRITE = 512 };
    uint8_t bytes[MORE_THAN_ENCODERS_WRITE];
    size_t zeros = count < sizeof bytes ? (size_t)count : sizeof bytes;
    ssize_t got = photo_source_read(source, offset + count - zeros, bytes, zeros);
    for (size_t index = 0; index < zeros; index++)
        if (got != (ssize_t)zeros || bytes[index] != 0) return false;
    return zeros > 0;
}

bool photo_accept_size(photo_result *result, const photo_limits *limits, uint32_t width, uint32_t height) {
    result->photo_width = width;
    result->photo_height = height;
    if (width <= limits->max_side && height <= limits->max_side && (uint64_t)width * height <= limits->max_pixels)
        return true;
    if (width > limits->max_side || height > limits->max_side)
        photo_fail(result, PHOTO_OVER_LIMIT, "%u by %u pixels, more than %u a side", width, height, limits->max_side);
    else
        photo_fail(result, PHOTO_OVER_LIMIT, "%u by %u pixels, more than the %llu of limits.maxPixels", width, height,
            (unsigned long long)limits->max_pixels);
    return false;
}

bool photo_accept_memory(photo_result *result, const photo_limits *limits, uint64_t bytes) {
    if (bytes <= limits->max_memory) return true;
    photo_fail(result, PHOTO_OVER_MEMORY, "%u by %u pixels take %llu MB of memory", result->photo_width,
        result->photo_height, (unsigned long long)(bytes / 1000000 + 1));
    return false;
}

void photo_return_memory(void) { malloc_trim(0); }

photo_region photo_region_of(const photo_result *result, const photo_request *request) {
    if (request->region.width > 0) return request->region;
    return (photo_region){.width = result->photo_width, .height = result->photo_height};
}

static double smaller(double a, double b) { return a < b ? a : b; }

void photo_cover(photo_result *result, photo_region region, double scale) {
    result->x = region.x / scale;
    result->y = region.y / scale;
    result->covered_width = smaller(region.width / scale, result->photo_width - result->x);
    result->covered_height = smaller(region.height / scale, result->photo_height - result->y);
}

void photo_fail(photo_result *result, photo_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    result->status = status;
    vsnprintf(result->message, sizeof result->message, format, arguments);
    va_end(arguments);
    // Libraries quote names from the file.
    for (char *next = result->message; *next != 0; next++)
        if (*next < ' ' || *next > '~') *next = '?';
}

void photo_warn(photo_result *result, const char *text) {
    if (result->message[0] == 0) photo_fail(result, result->status, "%s", text);
}

void photo_result_free(photo_result *result) {
    free(result->pixels);
    free(result->exif);
    result->pixels = NULL;
    result->exif = NULL;
}
