#include "heif_tiles.h"

#include <stdlib.h>
#include <string.h>

#include "heif_items.h"

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

heif_tiles heif_read_tiles(const heif_view *view) {
    static const uint8_t orientations[2][4] = {{1, 8, 3, 6}, {2, 5, 4, 7}};
    heif_tiles result = {0};
    heif_items items = {0};
    turning all = {0};
    if (view->meta.count > 0 && heif_items_open(&items, view->meta, heif_view_count(view))) {
        const heif_item *primary = heif_item_of(&items, items.primary);
        result.is_tiled = primary != NULL && memcmp(primary->type, "grid", 4) == 0;
        if (result.is_tiled && heif_visit_properties(view->meta, items.primary, add_property, &all))
            result.orientation = orientations[all.is_mirrored][all.turns % 4];
        if (result.is_tiled) read_grid(view, primary, &result);
    }
    heif_items_close(&items);
    return result;
}

void heif_tiles_close(heif_tiles *tiles) {
    free(tiles->ids);
    *tiles = (heif_tiles){0};
}
