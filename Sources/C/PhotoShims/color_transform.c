#include "color_transform.h"

#include <stdlib.h>
#include <string.h>

#include <lcms2.h>
#include <lcms2_plugin.h>

// Bytes: the profile determines its tables' size; a real CMYK profile with 17 grid points has half a megabyte.
enum { MAX_ALLOCATION = 32 << 20 };

struct color_transform {
    color_kind kind;
    cmsContext context;
    cmsHTRANSFORM handle;
    /// For COLOR_GRAY: the color of every gray level.
    uint8_t grays[256][3];
};

static void *allocate(cmsContext context, cmsUInt32Number count) {
    (void)context;
    return count > MAX_ALLOCATION ? NULL : malloc(count);
}

static void *reallocate(cmsContext context, void *old, cmsUInt32Number count) {
    (void)context;
    return count > MAX_ALLOCATION ? NULL : realloc(old, count);
}

static void release(cmsContext context, void *pointer) {
    (void)context;
    free(pointer);
}

static void print_nothing(cmsContext context, cmsUInt32Number code, const char *text) {
    (void)context;
    (void)code;
    (void)text;
}

static cmsPluginMemHandler memory_handler = {
    .base = {cmsPluginMagicNumber, 2000, cmsPluginMemHandlerSig, NULL},
    .MallocPtr = allocate,
    .FreePtr = release,
    .ReallocPtr = reallocate,
};

static bool suits(cmsHPROFILE profile, color_kind kind) {
    switch (cmsGetDeviceClass(profile)) {
    case cmsSigInputClass:
    case cmsSigDisplayClass:
    case cmsSigOutputClass:
    case cmsSigColorSpaceClass: break;
    default: return false;
    }
    switch (kind) {
    case COLOR_GRAY: return cmsGetColorSpace(profile) == cmsSigGrayData;
    case COLOR_RGB: return cmsGetColorSpace(profile) == cmsSigRgbData;
    default: return cmsGetColorSpace(profile) == cmsSigCmykData;
    }
}

static cmsUInt32Number format_of(color_kind kind) {
    switch (kind) {
    case COLOR_GRAY: return TYPE_GRAY_8;
    case COLOR_RGB: return TYPE_RGBA_8;
    case COLOR_CMYK: return TYPE_CMYK_8;
    default: return TYPE_CMYK_8_REV;
    }
}

static bool open_handle(color_transform *transform, const uint8_t *bytes, size_t count) {
    transform->context = cmsCreateContext(&memory_handler, NULL);
    if (transform->context == NULL) return false;
    cmsSetLogErrorHandlerTHR(transform->context, print_nothing);
    cmsHPROFILE profile = cmsOpenProfileFromMemTHR(transform->context, bytes, (cmsUInt32Number)count);
    cmsHPROFILE srgb = cmsCreate_sRGBProfileTHR(transform->context);
    if (profile != NULL && srgb != NULL && suits(profile, transform->kind)) {
        bool is_gray = transform->kind == COLOR_GRAY;
        transform->handle = cmsCreateTransformTHR(transform->context, profile, format_of(transform->kind), srgb,
            is_gray ? TYPE_RGB_8 : TYPE_RGBA_8, INTENT_PERCEPTUAL,
            cmsFLAGS_NOCACHE | (transform->kind == COLOR_RGB ? cmsFLAGS_COPY_ALPHA : 0));
    }
    if (profile != NULL) cmsCloseProfile(profile);
    if (srgb != NULL) cmsCloseProfile(srgb);
    return transform->handle != NULL;
}

/// Whether the profile changes colors, and is plausible: white must stay brighter than black.
static bool is_worth_it(const color_transform *transform) {
    enum { STEP = 17, SIDE = 256 / STEP + 1 };
    if (transform->kind == COLOR_CMYK || transform->kind == COLOR_CMYK_INVERTED) {
        uint8_t full = transform->kind == COLOR_CMYK ? 255 : 0, none = 255 - full;
        uint8_t ends[8] = {full, full, full, full, none, none, none, none};
        color_transform_apply(transform, ends, 2);
        return ends[4] + ends[5] + ends[6] > ends[0] + ends[1] + ends[2] + 192;
    }
    uint8_t row[SIDE][4];
    int difference = 0, black = 0, white = 0;
    for (int red = 0; red < 256; red += STEP) {
        for (int green = 0; green < 256; green += STEP) {
            for (int index = 0; index < SIDE; index++)
                memcpy(row[index], (uint8_t[]){red, green, index * STEP, 255}, 4);
            if (transform->kind == COLOR_GRAY)
                for (int index = 0; index < SIDE; index++) memset(row[index], index * STEP, 3);
            color_transform_apply(transform, row[0], SIDE);
            if (red == 0 && green == 0) black = row[0][0] + row[0][1] + row[0][2];
            if (red == 255 && green == 255) white = row[SIDE - 1][0] + row[SIDE - 1][1] + row[SIDE - 1][2];
            for (int index = 0; index < SIDE; index++) {
                int blue = index * STEP;
                bool is_gray = transform->kind == COLOR_GRAY;
                int now = abs(row[index][0] - (is_gray ? blue : red)) + abs(row[index][1] - (is_gray ? blue : green))
                    + abs(row[index][2] - blue);
                if (now > difference) difference = now;
            }
        }
    }
    return difference > 6 && white > black + 192;
}

color_transform *color_transform_open(const uint8_t *profile, size_t count, color_kind kind) {
    if (profile == NULL) return NULL;
    color_transform *transform = calloc(1, sizeof *transform);
    if (transform == NULL) return NULL;
    transform->kind = kind;
    bool is_open = open_handle(transform, profile, count);
    if (is_open && kind == COLOR_GRAY) {
        uint8_t levels[256];
        for (int level = 0; level < 256; level++) levels[level] = (uint8_t)level;
        cmsDoTransform(transform->handle, levels, transform->grays, 256);
    }
    if (is_open && is_worth_it(transform)) return transform;
    color_transform_close(transform);
    return NULL;
}

color_primaries color_primaries_of(int number) {
    switch (number) {
    case 5: return (color_primaries){.3127f, .3290f, .64f, .33f, .29f, .60f, .15f, .06f};
    case 6:
    case 7: return (color_primaries){.3127f, .3290f, .630f, .340f, .310f, .595f, .155f, .070f};
    case 9: return (color_primaries){.3127f, .3290f, .708f, .292f, .170f, .797f, .131f, .046f};
    case 11: return (color_primaries){.314f, .351f, .680f, .320f, .265f, .690f, .150f, .060f};
    case 12: return (color_primaries){.3127f, .3290f, .680f, .320f, .265f, .690f, .150f, .060f};
    default: return (color_primaries){.3127f, .3290f, .64f, .33f, .30f, .60f, .15f, .06f};
    }
}

color_transform *color_transform_open_primaries(color_primaries primaries, double gamma) {
    cmsCIExyY white = {primaries.white_x, primaries.white_y, 1};
    cmsCIExyYTRIPLE colorants = {
        {primaries.red_x, primaries.red_y, 1},
        {primaries.green_x, primaries.green_y, 1},
        {primaries.blue_x, primaries.blue_y, 1},
    };
    // The curve of IEC 61966-2.1 as a parametric curve of type 4.
    static const cmsFloat64Number curve_parameters[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    cmsToneCurve *curve = gamma > 0 ? cmsBuildGamma(NULL, gamma) : cmsBuildParametricToneCurve(NULL, 4, curve_parameters);
    cmsHPROFILE profile = curve == NULL
        ? NULL
        : cmsCreateRGBProfile(&white, &colorants, (cmsToneCurve *[]){curve, curve, curve});
    cmsUInt32Number count = 0;
    uint8_t *bytes = NULL;
    if (profile != NULL && cmsSaveProfileToMem(profile, NULL, &count) && (bytes = malloc(count)) != NULL
        && !cmsSaveProfileToMem(profile, bytes, &count)) {
        free(bytes);
        bytes = NULL;
    }
    color_transform *transform = color_transform_open(bytes, count, COLOR_RGB);
    free(bytes);
    if (profile != NULL) cmsCloseProfile(profile);
    if (curve != NULL) cmsFreeToneCurve(curve);
    return transform;
}

void color_transform_apply(const color_transform *transform, uint8_t *pixels, size_t count) {
    if (transform->kind == COLOR_GRAY) {
        for (size_t index = 0; index < count; index++, pixels += 4) memcpy(pixels, transform->grays[pixels[0]], 3);
        return;
    }
    cmsDoTransform(transform->handle, pixels, pixels, (cmsUInt32Number)count);
    for (size_t index = 0; transform->kind != COLOR_RGB && index < count; index++) pixels[index * 4 + 3] = 255;
}

void color_transform_close(color_transform *transform) {
    if (transform == NULL) return;
    if (transform->handle != NULL) cmsDeleteTransform(transform->handle);
    if (transform->context != NULL) cmsDeleteContext(transform->context);
    free(transform);
}
