#include "heif_tiles.h"

#include <stdlib.h>
#include <string.h>

#include "heif_items.h"
#include "heif_rewrite.h"

/// A mirror image first, if `is_mirrored` (left and right swapped), then counterclockwise quarter turns.
typedef struct turning {
    bool is_mirrored;
    int turns;
} turning;

/// Adds what a property does to the image (ISO/IEC 23008-12:2022, 6.5.10 and 6.5.12). Returns false if it also crops.
static bool add_property(const heif_box *property, void *context) {
    turning *all = context;
    if (heif_is(property, "clap")) return false;
    int value = property->count > 0 ? property->bytes[0] : 0;
    if (heif_is(property, "irot")) all->turns += value & 3;
    if (heif_is(property, "imir")) {
        // A mirror image after a turn is one before the opposite turn; swapping top and bottom is half a turn more.
        all->is_mirrored = !all->is_mirrored;
        all->turns = ((value & 1) == 1 ? 4 : 6) - all->turns % 4;
    }
    return true;
}

/// Reads the grid's description (ISO/IEC 23008-12, 6.6.2.3).
static void read_grid(const heif_view *view, const heif_item *grid, heif_tiles *tiles) {
    uint8_t head[4];
    heif_box idat;
    heif_reference parts;
    bool is_read;
    if (grid->is_in_idat)
        is_read = heif_find(view->meta, "idat", &idat) && grid->offset <= idat.count
            && idat.count - grid->offset >= sizeof head && memcpy(head, idat.bytes + grid->offset, sizeof head);
    else
        is_read = heif_view_read(view, grid->offset, head, sizeof head) == (ssize_t)sizeof head;
    if (!is_read || grid->count < sizeof head || !heif_reference_from(view->meta, grid->id, "dimg", &parts)) return;
    uint32_t rows = head[2] + 1u, columns = head[3] + 1u;
    if (parts.count != (size_t)rows * columns) return;
    tiles->ids = malloc(parts.count * sizeof *tiles->ids);
    if (tiles->ids == NULL) return;
    for (size_t index = 0; index < parts.count; index++) tiles->ids[index] = heif_target(&parts, index);
    tiles->rows = rows;
    tiles->columns = columns;
}

/// Finds a tile's configuration. Returns false for a property that changes the image.
static bool add_configuration(const heif_box *property, void *context) {
    heif_box *configuration = context;
    if (heif_is(property, "hvcC")) *configuration = *property;
    return heif_is(property, "hvcC") || heif_is(property, "ispe") || heif_is(property, "pixi")
        || heif_is(property, "colr");
}

/// Where the data of all tiles is, if libde265 can decode them as they are there.
static void read_places(const heif_view *view, const heif_items *items, heif_tiles *tiles) {
    enum { MAX_TILE_BYTES = 8 << 20 };
    uint32_t count = tiles->rows * tiles->columns;
    heif_place *places = count > 0 ? calloc(count, sizeof *places) : NULL;
    for (uint32_t index = 0; places != NULL && index < count; index++) {
        const heif_item *item = heif_item_of(items, tiles->ids[index]);
        heif_box configuration = {0};
        bool is_plain = item != NULL && memcmp(item->type, "hvc1", 4) == 0 && !item->is_in_idat && item->count > 0
            && item->count <= MAX_TILE_BYTES
            && heif_visit_properties(view->meta, item->id, add_configuration, &configuration)
            && configuration.count > 0;
        if (index == 0) tiles->configuration = configuration;
        if (!is_plain || configuration.count != tiles->configuration.count
            || memcmp(configuration.bytes, tiles->configuration.bytes, configuration.count) != 0) {
            free(places);
            return;
        }
        places[index] = (heif_place){item->offset, item->count};
    }
    tiles->places = places;
}

static bool ends_in_zeros(const heif_view *view, const heif_items *items) {
    const heif_item *last = NULL;
    for (const heif_item *item = items->all; item < items->all + items->count; item++) {
        bool is_coded = memcmp(item->type, "hvc1", 4) == 0 || memcmp(item->type, "av01", 4) == 0;
        if (is_coded && !item->is_in_idat && (last == NULL || item->offset > last->offset)) last = item;
    }
    return last != NULL && photo_source_ends_in_zeros(&view->source, last->offset, last->count);
}

uint8_t heif_tiles_orientation(const heif_view *view, uint32_t id) {
    static const uint8_t orientations[2][4] = {{1, 8, 3, 6}, {2, 5, 4, 7}};
    turning all = {0};
    return heif_visit_properties(view->meta, id, add_property, &all) ? orientations[all.is_mirrored][all.turns % 4] : 0;
}

heif_tiles heif_read_tiles(const heif_view *view) {
    heif_tiles result = {0};
    heif_items items = {0};
    if (view->meta.count > 0 && heif_items_open(&items, view->meta, heif_view_count(view))) {
        const heif_item *primary = heif_item_of(&items, items.primary);
        result.is_unknown = primary != NULL && !heif_is_known(primary->type);
        result.is_tiled = primary != NULL && memcmp(primary->type, "grid", 4) == 0;
        if (result.is_tiled) result.orientation = heif_tiles_orientation(view, items.primary);
        if (result.is_tiled) read_grid(view, primary, &result);
        read_places(view, &items, &result);
        result.ends_in_zeros = ends_in_zeros(view, &items);
    }
    // Even if the items could not all be read: libheif notices data beyond the end of the file only later.
    result.has_cycle = heif_has_cycle(&items, view->meta);
    heif_items_close(&items);
    return result;
}

void heif_tiles_close(heif_tiles *tiles) {
    free(tiles->ids);
    free(tiles->places);
    *tiles = (heif_tiles){0};
}
