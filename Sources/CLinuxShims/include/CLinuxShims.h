// What Glibc's Swift module leaves out: variadic calls, macros, and headers its module map does not name.
// Every function returns -1 and leaves its cause in errno when it fails, unless said otherwise.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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
ssize_t linux_send(int socket, const void *bytes, size_t count, int passed);

/// recvmsg(2). `*received` is a close-on-exec descriptor that came along, which the caller owns, or -1.
ssize_t linux_receive(int socket, void *bytes, size_t count, int *received);
