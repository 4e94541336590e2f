// Preloaded into the daemon: counts the calls by which it changes or reads files below TORTURE_ROOT (one folder, or two
// separated by a colon), and at one of them kills the process or makes the call fail. TORTURE_PLAN is the plan:
//
//   count                          only counts
//   kill N before|after|torn      SIGKILL at the Nth call that changes anything; torn: half of a write is done
//   fail CALL@AREA N MS ERROR     the Nth such call fails with this errno, and all of them for MS milliseconds
//   short CALL@AREA N MS          ... does half of the requested work
//   lie CALL@AREA                 such a call reports success and does nothing
//
// CALL is one of the names below, AREA the folder below that; either may be *. The file TORTURE_TRACE gets a line
// for each call, and one that begins with ! for each action.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum what { NOTHING, KILL_BEFORE, KILL_AFTER, KILL_TORN, FAIL, SHORT, LIE };

static enum what plan;
static char wanted_call[16], wanted_area[32], roots[2][4096];
static long wanted_number, milliseconds;
static int error_number, trace = -1;
static bool active;
static atomic_long number;
static atomic_llong first_failure;  // CLOCK_MONOTONIC, milliseconds; 0 for not yet

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000LL + time.tv_nsec / 1000000 + 1;
}

__attribute__((constructor)) static void begin(void) {
    const char *text = getenv("TORTURE_PLAN"), *folder = getenv("TORTURE_ROOT"), *file = getenv("TORTURE_TRACE");
    if (!text || !folder) return;
    char how[16] = "", kind[64] = "";
    if (sscanf(text, "kill %ld %15s", &wanted_number, how) == 2) {
        plan = strcmp(how, "before") == 0 ? KILL_BEFORE : strcmp(how, "after") == 0 ? KILL_AFTER : KILL_TORN;
    } else if (sscanf(text, "fail %63s %ld %ld %d", kind, &wanted_number, &milliseconds, &error_number) == 4) {
        plan = FAIL;
    } else if (sscanf(text, "short %63s %ld %ld", kind, &wanted_number, &milliseconds) == 3) {
        plan = SHORT;
    } else if (sscanf(text, "lie %63s", kind) == 1) {
        plan = LIE;
    } else if (strcmp(text, "count") != 0) {
        dprintf(2, "shim: no such plan: %s\n", text);
        abort();
    }
    if (kind[0] && sscanf(kind, "%15[^@]@%31s", wanted_call, wanted_area) != 2) abort();
    if (sscanf(folder, "%4095[^:]:%4095[^:]", roots[0], roots[1]) < 1) abort();
    if (file) trace = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    active = true;
}

// The name below a root, or null if the file is in none of them.
static const char *below(const char *path) {
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(roots[i]);
        if (length > 0 && strncmp(path, roots[i], length) == 0 && path[length] == '/') return path + length + 1;
    }
    return 0;
}

static const char *place_of(int folder, const char *name, char *room, size_t size) {
    if (name && name[0] == '/') return below(name);
    char link[64];
    if (folder == AT_FDCWD) strcpy(link, "/proc/self/cwd");
    else snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, room, size - 300);
    if (length <= 0) return 0;
    room[length] = 0;
    if (name) {
        room[length] = '/';
        strncpy(room + length + 1, name, 280);
        room[length + 281] = 0;
    }
    return below(room);
}

static void tell(const char *mark, long count, const char *call, const char *place) {
    if (trace < 0) return;
    char line[512];
    int length = snprintf(line, sizeof line - 1, "%s%ld %s %.400s", mark, count, call, place);
    for (int i = 0; i < length; i++) if ((unsigned char)line[i] < ' ') line[i] = '?';
    line[length] = '\n';
    syscall(SYS_write, trace, line, (size_t)length + 1);
}

static void die(void) {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
}

static bool matches(const char *call, const char *place) {
    size_t area = strcspn(place, "/");
    return (strcmp(wanted_call, "*") == 0 || strcmp(wanted_call, call) == 0)
        && (strcmp(wanted_area, "*") == 0 || (strlen(wanted_area) == area && strncmp(wanted_area, place, area) == 0));
}

// The action instead of or before the call. After KILL_AFTER and KILL_TORN, the caller must end with `die`.
static enum what meet(const char *call, bool changes, int folder, const char *name) {
    if (!active) return NOTHING;
    int saved = errno;
    enum what answer = NOTHING;
    char room[8192];
    const char *place = place_of(folder, name, room, sizeof room);
    if (place && *place) {
        bool kills = plan == NOTHING || plan <= KILL_TORN;
        bool counts = kills ? changes : matches(call, place);
        long count = counts ? atomic_fetch_add(&number, 1) + 1 : 0;
        long long start = atomic_load(&first_failure);
        if (counts && plan != NOTHING) {
            if (plan == LIE) answer = LIE;
            else if (count == wanted_number) answer = plan;
            else if (!kills && count > wanted_number && start && now() - start < milliseconds) answer = plan;
        }
        if (answer == FAIL || answer == SHORT) {
            long long never = 0;
            atomic_compare_exchange_strong(&first_failure, &never, now());
        }
        if (counts || plan == NOTHING) tell(answer == NOTHING ? "" : "!", count, call, place);
        if (answer == KILL_BEFORE) die();
    }
    errno = answer == FAIL ? error_number : saved;
    return answer;
}

static bool is_file(int descriptor) {
    struct stat status;
    return descriptor > 2 && active && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

// A call that is done completely or not at all.
#define WHOLE(call, folder, name, expression)                 \
    do {                                                      \
        enum what what = meet(call, true, folder, name);      \
        if (what == FAIL) return -1;                          \
        if (what == LIE) return 0;                            \
        int result = expression;                              \
        if (what == KILL_AFTER || what == KILL_TORN) die();   \
        return result;                                        \
    } while (0)

#define PIECES(call, changes, descriptor, count, expression)  \
    do {                                                      \
        if (!is_file(descriptor)) return expression;          \
        enum what what = meet(call, changes, descriptor, 0);  \
        if (what == FAIL) return -1;                          \
        if (what == LIE) return (ssize_t)count;               \
        if ((what == SHORT || what == KILL_TORN) && count > 1) count /= 2; \
        ssize_t result = expression;                          \
        if (what == KILL_AFTER || what == KILL_TORN) die();   \
        return result;                                        \
    } while (0)

#define OPEN(name, parameters, folder, ...)                                       \
    int name parameters {                                                         \
        REAL(name);                                                               \
        mode_t mode = 0;                                                          \
        if (flags & (O_CREAT | O_TMPFILE)) {                                      \
            va_list rest;                                                         \
            va_start(rest, flags);                                                \
            mode = va_arg(rest, mode_t);                                          \
            va_end(rest);                                                         \
        }                                                                         \
        bool creates = flags & O_CREAT;                                           \
        enum what what = meet(creates ? "create" : "open", creates, folder, path); \
        if (what == FAIL) return -1;                                              \
        int result = real(__VA_ARGS__, flags, mode);                              \
        if (what == KILL_AFTER || what == KILL_TORN) die();                       \
        return result;                                                            \
    }

OPEN(open, (const char *path, int flags, ...), AT_FDCWD, path)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD, path)
OPEN(openat, (int folder, const char *path, int flags, ...), folder, folder, path)
OPEN(openat64, (int folder, const char *path, int flags, ...), folder, folder, path)

ssize_t read(int file, void *bytes, size_t count) {
    REAL(read);
    PIECES("read", false, file, count, real(file, bytes, count));
}
ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
    REAL(pread);
    PIECES("pread", false, file, count, real(file, bytes, count, offset));
}
ssize_t pread64(int file, void *bytes, size_t count, off64_t offset) {
    REAL(pread64);
    PIECES("pread", false, file, count, real(file, bytes, count, offset));
}
ssize_t write(int file, const void *bytes, size_t count) {
    REAL(write);
    PIECES("write", true, file, count, real(file, bytes, count));
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    REAL(pwrite);
    PIECES("pwrite", true, file, count, real(file, bytes, count, offset));
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    REAL(pwrite64);
    PIECES("pwrite", true, file, count, real(file, bytes, count, offset));
}
int fsync(int file) {
    REAL(fsync);
    WHOLE("fsync", file, 0, real(file));
}
int fdatasync(int file) {
    REAL(fdatasync);
    WHOLE("fdatasync", file, 0, real(file));
}
int syncfs(int file) {
    REAL(syncfs);
    WHOLE("syncfs", file, 0, real(file));
}
int ftruncate(int file, off_t length) {
    REAL(ftruncate);
    WHOLE("ftruncate", file, 0, real(file, length));
}
int ftruncate64(int file, off64_t length) {
    REAL(ftruncate64);
    WHOLE("ftruncate", file, 0, real(file, length));
}
int rename(const char *from, const char *to) {
    REAL(rename);
    WHOLE("rename", AT_FDCWD, to, real(from, to));
}
int renameat(int folder, const char *from, int new_folder, const char *to) {
    REAL(renameat);
    WHOLE("rename", new_folder, to, real(folder, from, new_folder, to));
}
int renameat2(int folder, const char *from, int new_folder, const char *to, unsigned flags) {
    REAL(renameat2);
    WHOLE("rename", new_folder, to, real(folder, from, new_folder, to, flags));
}
int link(const char *from, const char *to) {
    REAL(link);
    WHOLE("link", AT_FDCWD, to, real(from, to));
}
int linkat(int folder, const char *from, int new_folder, const char *to, int flags) {
    REAL(linkat);
    WHOLE("link", new_folder, to, real(folder, from, new_folder, to, flags));
}
int unlink(const char *path) {
    REAL(unlink);
    WHOLE("unlink", AT_FDCWD, path, real(path));
}
int unlinkat(int folder, const char *path, int flags) {
    REAL(unlinkat);
    WHOLE("unlink", folder, path, real(folder, path, flags));
}
int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    WHOLE("mkdir", AT_FDCWD, path, real(path, mode));
}
int mkdirat(int folder, const char *path, mode_t mode) {
    REAL(mkdirat);
    WHOLE("mkdir", folder, path, real(folder, path, mode));
}
