#pragma once
// The types of the C library come in through this module and through Glibc's, and belong to whichever of the two the
// compiler loads first: a file that uses members of one imports both.
// What the Glibc module leaves out of the kernel's interface.
#include <fcntl.h>
#include <libintl.h>
#include <locale.h>
#include <malloc.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include <stdlib.h>
#include <wchar.h>

// Open file description locks: the header has them for _GNU_SOURCE only. Values from linux/fcntl.h.
enum { SEQUENCE_F_OFD_GETLK = 36, SEQUENCE_F_OFD_SETLK = 37, SEQUENCE_F_OFD_SETLKW = 38 };

// The environment, which <unistd.h> has for _GNU_SOURCE only, and as a variable that any thread could change.
extern char **environ;
static inline char **sequence_environment(void) { return environ; }

// Renames a file; the C library has it for _GNU_SOURCE only. Values of `flags` from linux/fs.h.
enum { SEQUENCE_RENAME_NOREPLACE = 1, SEQUENCE_RENAME_EXCHANGE = 2 };
static inline int sequence_rename(const char *from, const char *to, unsigned flags) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags);
}

// A descriptor of a process, readable once it has ended; the C library has a function for it since 2.36 only.
static inline int sequence_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

// Waits for a child; the fields of siginfo_t are macros, which Swift does not see.
static inline int sequence_wait(pid_t process, int options, int *code, int *status) {
  siginfo_t info;
  int result = waitid(P_PID, (id_t)process, &info, WEXITED | options);
  if (result == 0) {
    *code = info.si_code;
    *status = info.si_status;
  }
  return result;
}

// A connection of a listening socket, closed in programs that are started; the C library has it for _GNU_SOURCE only.
static inline int sequence_accept(int socket) {
  return (int)syscall(SYS_accept4, socket, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

// The process at the other end of a local socket; the type of the option is for _GNU_SOURCE only: pid, uid, gid.
static inline pid_t sequence_peer(int socket) {
  int credentials[3];
  socklen_t size = sizeof credentials;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, credentials, &size) == 0 ? credentials[0] : -1;
}

// <spawn.h> has it for some sources only.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);

// A file in memory that can be forbidden to grow: both are for _GNU_SOURCE only. Values from linux/memfd.h and
// linux/fcntl.h: MFD_CLOEXEC | MFD_ALLOW_SEALING, F_ADD_SEALS and F_SEAL_GROW.
static inline int sequence_memory_file(const char *name) { return (int)syscall(SYS_memfd_create, name, 3); }
static inline int sequence_forbid_growth(int file) { return fcntl(file, 1033, 4); }
