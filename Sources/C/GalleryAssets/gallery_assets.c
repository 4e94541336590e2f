#include "CGalleryAssets.h"

// clang supports #embed in every mode and tracks the embedded files; only these lines need the C23 extension.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char template[] = {
#embed "gallery.html"
};

static const unsigned char style[] = {
#embed "gallery.css"
    ,
#embed "carousel.css"
    ,
#embed "sticker.css"
    ,
#embed "grid.css"
    ,
#embed "exports.css"
    ,
#embed "colors.css"
};

// One script from several files: each declares what the files after it use.
static const unsigned char script[] = {
#embed "names.js"
    ,
#embed "oklab.js"
    ,
#embed "naming.js"
    ,
#embed "difference.js"
    ,
#embed "clusters.js"
    ,
#embed "gradient.js"
    ,
#embed "colors.js"
    ,
#embed "palettes.js"
    ,
#embed "hues.js"
    ,
#embed "dom.js"
    ,
#embed "toast.js"
    ,
#embed "chunks.js"
    ,
#embed "pages.js"
    ,
#embed "contents.js"
    ,
#embed "memory.js"
    ,
#embed "zip.js"
    ,
#embed "files.js"
    ,
#embed "clipboard.js"
    ,
#embed "drag.js"
    ,
#embed "tilt.js"
    ,
#embed "carousel.js"
    ,
#embed "without.js"
    ,
#embed "wallpaper.js"
    ,
#embed "actions.js"
    ,
#embed "selection.js"
    ,
#embed "find.js"
    ,
#embed "downloads.js"
    ,
#embed "grid.js"
    ,
#embed "wheel.js"
    ,
#embed "saving.js"
    ,
#embed "scheme.js"
    ,
#embed "history.js"
    ,
#embed "colorsview.js"
    ,
#embed "live.js"
    ,
#embed "lists.js"
    ,
#embed "navigation.js"
    ,
#embed "exports.js"
    ,
#embed "app.js"
};

const unsigned char *gallery_asset_bytes(gallery_asset asset) {
    switch (asset) {
    case GALLERY_TEMPLATE: return template;
    case GALLERY_STYLE: return style;
    case GALLERY_SCRIPT: return script;
    }
}

size_t gallery_asset_size(gallery_asset asset) {
    switch (asset) {
    case GALLERY_TEMPLATE: return sizeof template;
    case GALLERY_STYLE: return sizeof style;
    case GALLERY_SCRIPT: return sizeof script;
    }
}
