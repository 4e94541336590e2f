// Code that the decoders' harness does not reach, with the sanitizers: encoders, whose files are then decoded whole and
// truncated at every length, descriptors over sockets, locks, child processes. A failed expectation ends the program.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CLinuxShims.h"
#include "CPhotoShims.h"

#define EXPECT(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: not so: %s (errno %d)\n", __FILE__, __LINE__, #condition, errno); \
            exit(1); \
        } \
    } while (0)

static const photo_limits limits = {.max_pixels = 4000000, .max_side = 20000, .max_scans = 20, .max_memory = 32 << 20};

typedef photo_result (*decoder)(photo_source, photo_limits, photo_request);

static uint8_t *draw(uint32_t width, uint32_t height, uint32_t channels) {
    uint8_t *pixels = malloc((size_t)width * height * channels);
    for (size_t index = 0; index < (size_t)width * height * channels; index++)
        pixels[index] = (uint8_t)(index * 2654435761u >> 24);
    return pixels;
}

/// Checks that the whole file decodes to a picture of this size, and that no truncated file does harm.
static void decode_every_beginning(decoder decode, const uint8_t *bytes, size_t count, uint32_t width, uint32_t height) {
    photo_request request = {.working_side = 1000};
    for (size_t length = count;; length -= length > 4000 ? length / 100 : 1) {
        // An exact copy, so that the sanitizer detects a read beyond its end.
        uint8_t *beginning = malloc(length ? length : 1);
        memcpy(beginning, bytes, length);
        photo_source source = {.bytes = beginning, .descriptor = -1, .count = length};
        photo_result result = decode(source, limits, request);
        EXPECT((result.status == PHOTO_OK) == (result.pixels != NULL));
        if (length == count) EXPECT(result.status == PHOTO_OK && result.width == width && result.height == height);
        photo_result_free(&result);
        free(beginning);
        if (length == 0) break;
    }
}

static void encoders(void) {
    static const uint32_t sides[][2] = {{1, 1}, {7, 3}, {3, 61}, {64, 64}, {127, 33}};
    for (size_t index = 0; index < sizeof sides / sizeof *sides; index++) {
        uint32_t width = sides[index][0], height = sides[index][1];
        uint8_t *gray = draw(width, height, 1);
        photo_png_writer *writer = photo_png_begin(width, height);
        EXPECT(writer);
        for (uint32_t y = 0; y < height; y++) EXPECT(photo_png_row(writer, gray + (size_t)y * width));
        const uint8_t *file;
        size_t length;
        EXPECT(photo_png_finish(writer, &file, &length));
        decode_every_beginning(photo_decode_png, file, length, width, height);
        photo_png_free(writer);
        free(gray);
        uint8_t *pixels = draw(width, height, 4);
        // Of the exact size, so that the sanitizer detects a write beyond its end.
        uint8_t *filtered = malloc((size_t)height * (1 + width * 4));
        photo_png_filter(pixels, width, height, filtered);
        for (uint32_t y = 0; y < height; y++) EXPECT(filtered[(size_t)y * (1 + width * 4)] == (y ? 4 : 1));
        free(filtered);
        for (int quality = 0; quality <= 100; quality += 50) {
            size_t count;
            uint8_t *bytes = photo_encode_webp(pixels, width, height, quality, quality, false, &count);
            EXPECT(bytes);
            decode_every_beginning(photo_decode_webp, bytes, count, width, height);
            photo_bytes_free(bytes);
        }
        free(pixels);
    }
    EXPECT(photo_png_begin(0, 1) == NULL);
    EXPECT(photo_png_begin(1, 0xFFFFFFFF) == NULL);
    photo_png_writer *unfinished = photo_png_begin(8, 8);
    photo_png_free(unfinished);
}

static void sockets(void) {
    int ends[2], received;
    EXPECT(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
    char word[8] = {0};
    EXPECT(linux_send(ends[0], "photo", 5, -1) == 5);
    EXPECT(linux_receive(ends[1], word, sizeof word, &received) == 5 && received == -1 && memcmp(word, "photo", 5) == 0);
    int file = open("/dev/null", O_RDONLY);
    EXPECT(linux_send(ends[0], "p", 1, file) == 1);
    EXPECT(linux_receive(ends[1], word, sizeof word, &received) == 1 && received >= 0);
    EXPECT(fcntl(received, F_GETFD) == FD_CLOEXEC);
    close(received);
    // Two at once, which stickerd never sends: at most one is accepted, and none is left open.
    struct iovec part = {.iov_base = word, .iov_len = 1};
    union {
        struct cmsghdr header;
        unsigned char space[CMSG_SPACE(2 * sizeof(int))];
    } control = {.header = {.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(2 * sizeof(int))}};
    memcpy(CMSG_DATA(&control.header), (int[]){file, file}, 2 * sizeof(int));
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.space};
    int next = dup(file);
    close(next);
    EXPECT(sendmsg(ends[0], &message, 0) == 1);
    EXPECT(linux_receive(ends[1], word, sizeof word, &received) == 1);
    if (received >= 0) close(received);
    int after = dup(file);
    EXPECT(after == next);
    close(after);
    close(file);
    close(ends[0]);
    EXPECT(linux_receive(ends[1], word, sizeof word, &received) == 0 && received == -1);
    EXPECT(linux_send(ends[1], "x", 1, -1) == -1 && errno == EPIPE);
    close(ends[1]);
}

static void files(void) {
    // mkdtemp(3) requires six X and replaces them with a unique name.
    char folder[] = "/tmp/shims-XXXXXX";
    EXPECT(mkdtemp(folder));
    int place = open(folder, O_DIRECTORY | O_CLOEXEC);
    int file = openat(place, "a", O_CREAT | O_RDWR, 0600), other = openat(place, "a", O_RDWR);
    EXPECT(linux_lock(file) == 0 && linux_is_locked(other) == 1 && linux_is_locked(file) == 0);
    EXPECT(linux_lock(other) == -1 && errno == EAGAIN);
    EXPECT(linux_unlock(file) == 0 && linux_is_locked(other) == 0);
    EXPECT(linux_rename_new(place, "a", place, "b") == 0);
    close(openat(place, "a", O_CREAT | O_WRONLY, 0600));
    EXPECT(linux_rename_new(place, "a", place, "b") == -1 && errno == EEXIST);
    EXPECT(photo_file_size(file) == 0 && photo_file_size(place) == -ENOTSUP);
    uint8_t byte;
    photo_source source = {.bytes = NULL, .descriptor = file, .count = 0};
    EXPECT(photo_source_read(&source, 0, &byte, 1) == 0);
    close(file);
    close(other);
    unlinkat(place, "a", 0);
    unlinkat(place, "b", 0);
    close(place);
    rmdir(folder);
    int event = linux_eventfd();
    EXPECT(event >= 0 && fcntl(event, F_GETFD) == FD_CLOEXEC);
    close(event);
    EXPECT(linux_set_thread_name("fifteen letters and more") == 0);
}

static void processes(void) {
    int input = open("/dev/null", O_RDONLY), process = -1, status;
    // A descriptor without close-on-exec, which every child would inherit.
    EXPECT(dup2(input, 77) == 77);
    char *check[] = {"sh", "-c", "test ! -e /proc/$$/fd/77 && test -e /proc/$$/fd/2 && test \"$WORD\" = here", NULL};
    char *environment[] = {"WORD=here", "PATH=/usr/bin:/bin", NULL};
    EXPECT(linux_spawn("/bin/sh", check, environment, input, &process) == 0);
    EXPECT(waitpid(process, &status, 0) == process);
    EXPECT(status == 0);
    EXPECT(linux_spawn("/no/such/program", check, environment, input, &process) == ENOENT);
    close(input);
    EXPECT(linux_close_from(77) == 0 && fcntl(77, F_GETFD) == -1);
    EXPECT(linux_is_sanitized());
}

int main(void) {
    photo_codecs_prepare();
    encoders();
    sockets();
    files();
    processes();
    puts("shims: no errors");
    return 0;
}
