// What Glibc's Swift module leaves out: variadic calls, macros, and headers its module map does not name.
// No header of types that Glibc's module has too: they would count as this one's.
// Every function returns -1 and leaves its cause in errno when it fails, unless said otherwise.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// eventfd(2), non-blocking and close-on-exec, counting from zero.
int linux_eventfd(void);

/// Names the calling thread; the kernel keeps 15 bytes.
int linux_set_thread_name(const char *name);

/// renameat2(2) with RENAME_NOREPLACE: EEXIST where the new name is taken, EINVAL where the file system cannot say.
int linux_rename_new(int from_folder, const char *from, int to_folder, const char *to);

/// fstatfs(2): the file system's magic number, and what tells it from others of its kind (0 where nothing does).
int linux_file_system(int descriptor, uint64_t *magic, uint64_t *identifier);

/// Takes an open-file-description write lock on the whole file, without waiting: EAGAIN when somebody else has it.
int linux_lock(int descriptor);

/// Lets go of it for every holder of the same open file.
int linux_unlock(int descriptor);

/// 1 when somebody else holds such a lock, 0 when nobody does. Takes no lock itself.
int linux_is_locked(int descriptor);

/// sendmsg(2) without SIGPIPE. `passed` goes along as SCM_RIGHTS unless it is negative.
long linux_send(int socket, const void *bytes, size_t count, int passed);

/// recvmsg(2). `*received` is a close-on-exec descriptor that came along, which the caller owns, or -1.
long linux_receive(int socket, void *bytes, size_t count, int *received);

/// posix_spawn(3) with `input` as standard input, `/dev/null` as standard output, our standard error and no other
/// descriptor, in a process group of its own, signals as they are by default. Returns an error number, or 0.
int linux_spawn(const char *path, char *const *arguments, char *const *environment, int input, int *process);

/// pidfd_open(2), close-on-exec.
int linux_pidfd_open(int process);

/// pidfd_send_signal(2): reaches the process that the descriptor stands for, or none (ESRCH).
int linux_pidfd_signal(int descriptor, int signal);

/// What system calls' arguments are called in headers that would take Glibc's types with them.
enum { LINUX_PR_SET_NAME = 15, LINUX_CLONE_VM = 0x100, LINUX_CLONE_THREAD = 0x10000, LINUX_MAP_TYPE = 0x0f };

/// Closes every descriptor from `first` on.
int linux_close_from(int first);

/// No core file, no debugger without privileges, and `/proc/self` is root's.
int linux_forbid_dumps(void);

/// execve(2) gives no privileges any more, for good; seccomp(2) wants it.
int linux_forbid_new_privileges(void);

/// One heap for all threads; to be called before there is a second one.
void linux_use_one_malloc_arena(void);

/// Blocks of up to `block` bytes (32 MiB at most), and up to `total` bytes at the heap's end, stay with the process
/// when they are freed (mallopt(3)).
void linux_keep_freed_memory(int block, int total);

/// Gives all that is free back to the kernel (malloc_trim(3)).
void linux_return_freed_memory(void);

/// Whether this was built with the address or the thread sanitizer.
bool linux_is_sanitized(void);
