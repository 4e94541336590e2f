// Functions missing from Glibc's Swift module: variadic calls, macros, and headers that its module map does not
// include. Includes no header that defines types of Glibc's module: they would count as this module's. Every function
// returns -1 and sets errno if it fails, unless stated otherwise.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// eventfd(2), non-blocking and close-on-exec, counting from zero.
int linux_eventfd(void);

/// Names the calling thread; the kernel keeps 15 bytes.
int linux_set_thread_name(const char *name);

/// renameat2(2) with RENAME_NOREPLACE: EEXIST if the new name is taken, EINVAL if the file system does not support it.
int linux_rename_new(int from_folder, const char *from, int to_folder, const char *to);

/// fstatfs(2): the file system's magic number, and its ID (0 if it has none).
int linux_file_system(int descriptor, uint64_t *magic, uint64_t *identifier);

/// Takes an open-file-description write lock on the whole file, without waiting: EAGAIN if it is held.
int linux_lock(int descriptor);

/// Releases it for every holder of the same open file.
int linux_unlock(int descriptor);

/// Returns 1 if such a lock is held by another open file, otherwise 0. Takes no lock itself.
int linux_is_locked(int descriptor);

/// sendmsg(2) without SIGPIPE. Sends `passed` as SCM_RIGHTS unless it is negative.
long linux_send(int socket, const void *bytes, size_t count, int passed);

/// recvmsg(2). `*received` is a received close-on-exec descriptor, which the caller owns, or -1.
long linux_receive(int socket, void *bytes, size_t count, int *received);

/// posix_spawn(3) with `input` as standard input, `/dev/null` as standard output, our standard error and no other
/// descriptor, in its own process group, with default signal actions. Returns an error number, or 0.
int linux_spawn(const char *path, char *const *arguments, char *const *environment, int input, int *process);

/// pidfd_open(2), close-on-exec.
int linux_pidfd_open(int process);

/// pidfd_send_signal(2): signals the descriptor's process, or none (ESRCH).
int linux_pidfd_signal(int descriptor, int signal);

/// Constants for arguments of system calls, whose headers would also define Glibc's types.
enum { LINUX_PR_SET_NAME = 15, LINUX_CLONE_VM = 0x100, LINUX_CLONE_THREAD = 0x10000, LINUX_MAP_TYPE = 0x0f };

/// Closes every descriptor from `first` on.
int linux_close_from(int first);

/// Forbids core files and unprivileged debuggers; `/proc/self` then belongs to root.
int linux_forbid_dumps(void);

/// execve(2) never grants privileges again; seccomp(2) requires this.
int linux_forbid_new_privileges(void);

/// One heap for all threads; must be called before a second thread starts.
void linux_use_one_malloc_arena(void);

/// Freed blocks of up to `block` bytes (32 MiB at most), and up to `total` bytes at the heap's end, stay with the
/// process (mallopt(3)).
void linux_keep_freed_memory(int block, int total);

/// Returns all freed memory to the kernel (malloc_trim(3)).
void linux_return_freed_memory(void);

/// Whether this was built with the address or the thread sanitizer.
bool linux_is_sanitized(void);
