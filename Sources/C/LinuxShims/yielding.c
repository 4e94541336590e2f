#include <sched.h>
#include <time.h>

#include "CLinuxShims.h"

// Nanoseconds.
enum { SLICE = 250000 };

static bool is_enabled;

void linux_enable_yielding(bool enabled) { is_enabled = enabled; }

bool linux_yield_if_due(void) {
    static _Thread_local int64_t last;
    if (!is_enabled) return false;
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    int64_t now = (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
    if (now - last < SLICE) return false;
    sched_yield();
    last = now;
    return true;
}
