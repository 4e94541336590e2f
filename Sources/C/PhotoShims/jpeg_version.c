// Whether libjpeg's private structures are those of the header that this was compiled with.
//
// libjpeg has no call for its version. libjpeg-turbo keeps it as a text among its constants, so that one can find out
// which version a program uses (jcmaster.h); this searches for it where the library has its error messages.
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <string.h>

#include "CPhotoShims.h"
#include "jpeg_private.h"

#ifdef JPEG_HAS_PRIVATE_HEADER

#define TEXT(words) #words
#define TEXT_OF(macro) TEXT(macro)

static const char expected[] = "libjpeg-turbo version " TEXT_OF(LIBJPEG_TURBO_VERSION) " (";

static photo_jpeg_parts parts = PHOTO_JPEG_OTHER_VERSION;

/// Called for each loaded library; anything but 0 ends the search.
static int search(struct dl_phdr_info *object, size_t size, void *message) {
    (void)size;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        uintptr_t start = object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD || (uintptr_t)message - start >= segment->p_filesz) continue;
        if (memmem((const void *)start, segment->p_filesz, expected, sizeof expected - 1) != NULL)
            parts = PHOTO_JPEG_PRIVATE_PARTS;
        return 1;
    }
    return 0;
}

static void compare(void) {
    struct jpeg_error_mgr errors;
    jpeg_std_error(&errors);
    dl_iterate_phdr(search, (void *)errors.jpeg_message_table[0]);
}

photo_jpeg_parts photo_jpeg_parts_in_use(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, compare);
    return parts;
}

#else

photo_jpeg_parts photo_jpeg_parts_in_use(void) { return PHOTO_JPEG_NO_HEADER; }

#endif
