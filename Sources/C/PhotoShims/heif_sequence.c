#include "heif_sequence.h"

#include <string.h>

enum { SAMPLE_ENTRY = 78, SIZE_AT = 24, MAX_PROPERTIES = 16 };

/// The first frame of a track.
typedef struct frame {
    heif_box entry;
    uint64_t offset, count;
} frame;

/// The frame's place (ISO/IEC 14496-12, 8.7.3 and 8.7.5): it is the first of the first chunk.
static bool read_place(heif_box table, frame *frame) {
    heif_box sizes, chunks;
    int version;
    bool flag;
    uint64_t number;
    bool is_wide = false;
    if (!heif_find(table, "stsz", &sizes) || !heif_open_full(&sizes, &version, &flag)
        || !heif_take(&sizes, 4, &frame->count) || !heif_take(&sizes, 4, &number) || number == 0)
        return false;
    if (frame->count == 0 && !heif_take(&sizes, 4, &frame->count)) return false;
    if (!heif_find(table, "stco", &chunks)) {
        is_wide = true;
        if (!heif_find(table, "co64", &chunks)) return false;
    }
    return heif_open_full(&chunks, &version, &flag) && heif_take(&chunks, 4, &number) && number > 0
        && heif_take(&chunks, is_wide ? 8 : 4, &frame->offset);
}

/// Looks up the first track with that handler.
static bool find_frame(heif_box moov, const char *handler, uint64_t file_count, frame *frame) {
    heif_box track, hdlr, table, entries;
    int version;
    bool flag;
    while (heif_next(&moov, &track)) {
        if (!heif_is(&track, "trak") || !heif_find_path(track, "mdia hdlr", &hdlr) || hdlr.count < 12
            || memcmp(hdlr.bytes + 8, handler, 4) != 0)
            continue;
        return heif_find_path(track, "mdia minf stbl", &table) && heif_find(table, "stsd", &entries)
            && heif_open_full(&entries, &version, &flag) && heif_skip(&entries, 4) && heif_next(&entries, &frame->entry)
            && frame->entry.count >= SAMPLE_ENTRY && read_place(table, frame) && frame->count > 0
            && frame->offset <= file_count && frame->count <= file_count - frame->offset;
    }
    return false;
}

static bool is_av1(const frame *frame) { return heif_is(&frame->entry, "av01"); }

/// Writes the frame's properties; returns their number.
static int put_properties(heif_bytes *writer, const frame *frame, bool is_alpha) {
    heif_box entry = frame->entry, box;
    size_t position = heif_begin_full(writer, "ispe", 0, 0);
    heif_put_number(writer, heif_number(entry.bytes + SIZE_AT, 2), 4);
    heif_put_number(writer, heif_number(entry.bytes + SIZE_AT + 2, 2), 4);
    heif_end(writer, position);
    int count = 1;
    heif_skip(&entry, SAMPLE_ENTRY);
    while (count < MAX_PROPERTIES && heif_next(&entry, &box)) {
        if (!heif_is(&box, is_av1(frame) ? "av1C" : "hvcC") && !heif_is(&box, "colr")) continue;
        heif_put_box(writer, &box);
        count++;
    }
    if (is_alpha) {
        static const char alpha[] = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha";
        position = heif_begin_full(writer, "auxC", 0, 0);
        heif_put(writer, alpha, sizeof alpha);
        heif_end(writer, position);
        count++;
    }
    return count;
}

static void put_items(heif_bytes *writer, const frame *frames, int count) {
    size_t position = heif_begin_full(writer, "iinf", 0, 0);
    heif_put_number(writer, (uint64_t)count, 2);
    for (int index = 0; index < count; index++) {
        size_t start = heif_begin_full(writer, "infe", 2, 0);
        heif_put_number(writer, (uint64_t)index + 1, 2);
        heif_put_number(writer, 0, 2);
        heif_put(writer, is_av1(&frames[index]) ? "av01" : "hvc1", 4);
        heif_put_number(writer, 0, 1);
        heif_end(writer, start);
    }
    heif_end(writer, position);
    position = heif_begin_full(writer, "iloc", 0, 0);
    heif_put_number(writer, 0x8800, 2);
    heif_put_number(writer, (uint64_t)count, 2);
    for (int index = 0; index < count; index++) {
        heif_put_number(writer, (uint64_t)index + 1, 2);
        heif_put_number(writer, 0, 2);
        heif_put_number(writer, 1, 2);
        heif_put_number(writer, frames[index].offset, 8);
        heif_put_number(writer, frames[index].count, 8);
    }
    heif_end(writer, position);
}

static void put_uses(heif_bytes *writer, const int *properties, int count) {
    size_t position = heif_begin_full(writer, "ipma", 0, 0);
    heif_put_number(writer, (uint64_t)count, 4);
    for (int index = 0, next = 1; index < count; index++) {
        heif_put_number(writer, (uint64_t)index + 1, 2);
        heif_put_number(writer, (uint64_t)properties[index], 1);
        for (int left = properties[index]; left > 0; left--) heif_put_number(writer, (uint64_t)next++, 1);
    }
    heif_end(writer, position);
}

bool heif_sequence_meta(heif_bytes *writer, heif_box moov, uint64_t file_count) {
    frame frames[2];
    if (!find_frame(moov, "pict", file_count, &frames[0]) && !find_frame(moov, "vide", file_count, &frames[0]))
        return false;
    int count = find_frame(moov, "auxv", file_count, &frames[1]) ? 2 : 1;
    for (int index = 0; index < count; index++)
        if (!is_av1(&frames[index]) && !heif_is(&frames[index].entry, "hvc1")) return false;
    size_t position = heif_begin_full(writer, "hdlr", 0, 0);
    heif_put(writer, "\0\0\0\0pict\0\0\0\0\0\0\0\0\0\0\0\0", 21);
    heif_end(writer, position);
    position = heif_begin_full(writer, "pitm", 0, 0);
    heif_put_number(writer, 1, 2);
    heif_end(writer, position);
    put_items(writer, frames, count);
    if (count == 2) {
        position = heif_begin_full(writer, "iref", 0, 0);
        size_t reference = heif_begin(writer, "auxl");
        heif_put_number(writer, 2, 2);
        heif_put_number(writer, 1, 2);
        heif_put_number(writer, 1, 2);
        heif_end(writer, reference);
        heif_end(writer, position);
    }
    position = heif_begin(writer, "iprp");
    size_t all = heif_begin(writer, "ipco");
    int properties[2];
    for (int index = 0; index < count; index++) properties[index] = put_properties(writer, &frames[index], index == 1);
    heif_end(writer, all);
    put_uses(writer, properties, count);
    heif_end(writer, position);
    return true;
}
