#include "heif_hevc.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

// MARK: Bytes

/// Passes on the parameter sets of a configuration (ISO/IEC 14496-15, 8.3.3.1).
static bool push_parameters(de265_decoder_context *decoder, heif_box rest) {
    uint64_t arrays, units, count;
    if (!heif_skip(&rest, 22) || !heif_take(&rest, 1, &arrays)) return false;
    for (; arrays > 0; arrays--) {
        if (!heif_skip(&rest, 1) || !heif_take(&rest, 2, &units)) return false;
        for (; units > 0; units--) {
            if (!heif_take(&rest, 2, &count) || rest.count < count) return false;
            if (de265_push_NAL(decoder, rest.bytes, (int)count, 0, NULL) != DE265_OK) return false;
            heif_skip(&rest, (size_t)count);
        }
    }
    return true;
}

/// Passes on the units of a tile, each behind its size: 4 bytes, as libheif assumes, too.
static bool push_units(de265_decoder_context *decoder, heif_box rest) {
    uint64_t count;
    while (rest.count > 0) {
        if (!heif_take(&rest, 4, &count) || rest.count < count) return false;
        if (de265_push_NAL(decoder, rest.bytes, (int)count, 0, NULL) != DE265_OK) return false;
        heif_skip(&rest, (size_t)count);
    }
    return true;
}

// MARK: Tiles

/// What the threads share.
typedef struct hevc_work {
    const heif_view *view;
    heif_box configuration;
    const heif_place *const *places;
    hevc_tile *tiles;
    uint32_t count;
    bool is_rough;
    atomic_uint next;
} hevc_work;

static void decode(const hevc_work *work, const heif_place *place, hevc_tile *tile) {
    uint8_t *bytes = malloc(place->count);
    tile->decoder = de265_new_decoder();
    tile->reason = "out of memory";
    if (bytes != NULL && tile->decoder != NULL) {
        ssize_t got = heif_view_read(work->view, place->offset, bytes, place->count);
        if (got < 0) tile->read_error = (int)-got;
        tile->reason = "a tile cannot be decoded";
        de265_set_parameter_bool(tile->decoder, DE265_DECODER_PARAM_DISABLE_DEBLOCKING, work->is_rough);
        de265_set_parameter_bool(tile->decoder, DE265_DECODER_PARAM_DISABLE_SAO, work->is_rough);
        int is_more = got == (ssize_t)place->count && push_parameters(tile->decoder, work->configuration)
            && push_units(tile->decoder, (heif_box){.bytes = bytes, .count = place->count})
            && de265_flush_data(tile->decoder) == DE265_OK;
        while (is_more && tile->image == NULL) {
            de265_error error = de265_decode(tile->decoder, &is_more);
            if (error != DE265_OK) {
                tile->reason = de265_get_error_text(error);
                break;
            }
            tile->image = de265_peek_next_picture(tile->decoder);
        }
    }
    free(bytes);
}

static void *decode_all(void *context) {
    hevc_work *work = context;
    for (;;) {
        uint32_t index = atomic_fetch_add(&work->next, 1);
        if (index >= work->count) return NULL;
        if (work->places[index] != NULL) decode(work, work->places[index], &work->tiles[index]);
    }
}

void hevc_tiles_decode(
    const heif_view *view, heif_box configuration, const heif_place *const *places, hevc_tile *tiles, uint32_t count,
    bool is_rough) {
    enum { STACK_BYTES = 512 << 10 };
    hevc_work work = {view, configuration, places, tiles, count, is_rough, 0};
    pthread_t helper;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    // A worker's memory is limited, stacks included.
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    bool has_helper = count > 1 && pthread_create(&helper, &attributes, decode_all, &work) == 0;
    pthread_attr_destroy(&attributes);
    decode_all(&work);
    if (has_helper) pthread_join(helper, NULL);
}

void hevc_tile_close(hevc_tile *tile) {
    if (tile->decoder != NULL) de265_free_decoder(tile->decoder);
    *tile = (hevc_tile){0};
}
