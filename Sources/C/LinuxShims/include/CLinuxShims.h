// What Glibc's Swift module lacks: variadic functions, macros, and headers missing from its module map.
// Includes no header that declares types of Glibc's module: Swift would attribute them to this one.
// On failure, every function returns -1 and sets errno, unless stated otherwise.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// eventfd(2), non-blocking and close-on-exec, counting from zero.
int linux_eventfd(void);

/// Names the calling thread; the kernel keeps 15 bytes.
int linux_set_thread_name(const char *name);

/// Whether `linux_yield_if_due` may yield. Call it while the process has one thread.
void linux_enable_yielding(bool enabled);

/// Lets another program run, by sched_yield(2), if the thread last did so a quarter of a millisecond ago or earlier.
/// Loops that compute call it between short pieces of their work. Without it, the scheduler of Linux 6.6 and later
/// (EEVDF) may let a program of an idle control group run until the next tick, up to 4 ms, while an ordinary one waits.
/// The thread gives up the rest of its slice, so only a process with the lowest priority should do this. Returns
/// whether it yielded.
bool linux_yield_if_due(void);

/// renameat2(2) with RENAME_NOREPLACE: EEXIST if the new name is taken, EINVAL if the file system lacks the flag.
int linux_rename_new(int from_folder, const char *from, int to_folder, const char *to);

/// copy_file_range(2) from `offset`, which it advances, to the other file's position.
long linux_copy_file_range(int from, int64_t *offset, int to, size_t count);

/// fstatfs(2): the file system's magic number, and its f_fsid (0 if it has none).
int linux_file_system(int descriptor, uint64_t *magic, uint64_t *identifier);

/// open(2)'s flags for an unnamed file in the given folder (O_TMPFILE).
int linux_o_tmpfile(void);
int linux_o_path(void);

/// The number of this process's arguments, with the program's name. If the first is `run`, the process ignores SIGHUP
/// from its beginning until it traps the signal: untrapped, the signal would end a daemon that starts.
int linux_argument_count(void);

/// The argument at `index`, valid for the life of the process; NULL if there are fewer.
const char *linux_argument(int index);

/// memfd_create(2): a file in memory without a name, close-on-exec.
int linux_memory_file(void);

/// syncfs(2).
int linux_sync_file_system(int descriptor);

/// Takes an open-file-description write lock on the whole file, without waiting: EAGAIN if it is taken.
int linux_lock(int descriptor);

/// Releases the lock for every descriptor of the same open file.
int linux_unlock(int descriptor);

/// 1 if another open file holds such a lock, 0 if none does. Takes no lock.
int linux_is_locked(int descriptor);

/// sendmsg(2) without SIGPIPE. Transfers the descriptor `passed` (SCM_RIGHTS) unless it is negative.
long linux_send(int socket, const void *bytes, size_t count, int passed);

/// recvmsg(2). `*received` is a transferred close-on-exec descriptor, which the caller owns, or -1.
long linux_receive(int socket, void *bytes, size_t count, int *received);

/// posix_spawn(3) with `input` as standard input, `/dev/null` as standard output, our standard error and no other
/// descriptor, in its own process group, with default signal handling. Returns an error number, or 0.
int linux_spawn(const char *path, char *const *arguments, char *const *environment, int input, int *process);

/// pidfd_open(2), close-on-exec.
int linux_pidfd_open(int process);

/// pidfd_send_signal(2): signals the descriptor's process, or none (ESRCH).
int linux_pidfd_signal(int descriptor, int signal);

/// Arguments of system calls, from headers that declare types of Glibc's module.
enum { LINUX_PR_SET_NAME = 15, LINUX_CLONE_VM = 0x100, LINUX_CLONE_THREAD = 0x10000, LINUX_MAP_TYPE = 0x0f };

/// Closes `first` and every higher descriptor.
int linux_close_from(int first);

/// Prevents core files and unprivileged debuggers, and makes root own `/proc/self`.
int linux_forbid_dumps(void);

/// Permanently prevents execve(2) from granting privileges; seccomp(2) requires it.
int linux_forbid_new_privileges(void);

/// One heap for all threads; call it before there is a second thread.
void linux_use_one_malloc_arena(void);

/// Makes the process keep freed blocks of up to `block` bytes (32 MiB at most), and up to `total` freed bytes at the
/// heap's end (mallopt(3)).
void linux_keep_freed_memory(int block, int total);

/// Returns all freed heap to the kernel (malloc_trim(3)).
void linux_return_freed_memory(void);

/// Whether a time server or the like keeps this machine's clock right (adjtimex(2)).
bool linux_is_clock_synchronized(void);

/// Whether this was built with the address or the thread sanitizer.
bool linux_is_sanitized(void);
