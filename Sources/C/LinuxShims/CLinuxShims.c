#define _GNU_SOURCE
#include "CLinuxShims.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/vfs.h>
#include <unistd.h>

int linux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int linux_set_thread_name(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

int linux_rename_new(int from_folder, const char *from, int to_folder, const char *to) {
    return renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE);
}

long linux_copy_file_range(int from, int64_t *offset, int to, size_t count) {
    off64_t place = *offset;
    ssize_t copied = copy_file_range(from, &place, to, NULL, count, 0);
    *offset = place;
    return copied;
}

int linux_file_system(int descriptor, uint64_t *magic, uint64_t *identifier) {
    struct statfs answer;
    if (fstatfs(descriptor, &answer) < 0) return -1;
    // f_type may be a signed long: a magic number with bit 31 set must not become negative.
    *magic = (uint32_t)answer.f_type;
    memcpy(identifier, &answer.f_fsid, sizeof *identifier);
    return 0;
}

static int argument_count;
static char **arguments;

// glibc passes main's arguments to this, which runs before the libraries' own initialization, which takes several
// milliseconds.
static void before_all(int count, char **values, char **environment) {
    (void)environment;
    argument_count = count;
    arguments = values;
    // On a terminal, the signal means that it was closed.
    if (count > 1 && strcmp(values[1], "run") == 0 && !isatty(STDERR_FILENO)) signal(SIGHUP, SIG_IGN);
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **, char **) = before_all;

int linux_argument_count(void) { return argument_count; }

const char *linux_argument(int index) { return index < argument_count ? arguments[index] : NULL; }

int linux_o_tmpfile(void) { return O_TMPFILE; }
int linux_o_path(void) { return O_PATH; }

int linux_memory_file(void) { return memfd_create("stickerd", MFD_CLOEXEC); }

int linux_sync_file_system(int descriptor) { return syncfs(descriptor); }

int linux_lock(int descriptor) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int linux_unlock(int descriptor) {
    struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int linux_is_locked(int descriptor) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(descriptor, F_OFD_GETLK, &lock) < 0) return -1;
    return lock.l_type != F_UNLCK;
}

long linux_send(int socket, const void *bytes, size_t count, int passed) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    union {
        struct cmsghdr header;
        unsigned char space[CMSG_SPACE(sizeof(int))];
    } control = {0};
    if (passed >= 0) {
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(&control.header), &passed, sizeof(int));
        message.msg_control = &control;
        message.msg_controllen = sizeof control.space;
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

long linux_receive(int socket, void *bytes, size_t count, int *received) {
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    union {
        struct cmsghdr header;
        unsigned char space[CMSG_SPACE(sizeof(int))];
    } control = {0};
    // CMSG_LEN, not CMSG_SPACE: the padding has room for a second descriptor, which would leak.
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = CMSG_LEN(sizeof(int))};
    *received = -1;
    ssize_t length = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (length < 0) return length;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
        header->cmsg_len == CMSG_LEN(sizeof(int))) {
        memcpy(received, CMSG_DATA(header), sizeof(int));
    }
    return length;
}

int linux_spawn(const char *path, char *const *arguments, char *const *environment, int input, int *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t every, none;
    sigfillset(&every);
    sigemptyset(&none);
    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0) return code;
    if ((code = posix_spawnattr_init(&attributes)) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return code;
    }
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigdefault(&attributes, &every);
    posix_spawnattr_setsigmask(&attributes, &none);
    if ((code = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)) == 0
        && (code = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)) == 0
        && (code = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)) == 0)
        code = posix_spawn(process, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

_Static_assert(
    LINUX_PR_SET_NAME == PR_SET_NAME && LINUX_CLONE_VM == CLONE_VM && LINUX_CLONE_THREAD == CLONE_THREAD
        && LINUX_MAP_TYPE == MAP_TYPE,
    "the kernel's numbers");

int linux_pidfd_open(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int linux_pidfd_signal(int descriptor, int signal) {
    return (int)syscall(SYS_pidfd_send_signal, descriptor, signal, NULL, 0);
}

int linux_close_from(int first) { return close_range((unsigned)first, ~0U, 0); }

int linux_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

int linux_forbid_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

void linux_use_one_malloc_arena(void) { mallopt(M_ARENA_MAX, 1); }

void linux_keep_freed_memory(int block, int total) {
    mallopt(M_MMAP_THRESHOLD, block);
    mallopt(M_TRIM_THRESHOLD, total);
}

void linux_return_freed_memory(void) { malloc_trim(0); }

bool linux_is_clock_synchronized(void) {
    struct timex clock = {.modes = 0};
    int state = adjtimex(&clock);
    return state >= 0 && state != TIME_ERROR;
}

bool linux_is_sanitized(void) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return true;
#endif
#endif
    return false;
}
