#pragma once
// What the Glibc module leaves out of the kernel's interface.
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <wchar.h>

// Open file description locks: the header has them for _GNU_SOURCE only. Values from linux/fcntl.h.
enum { SEQUENCE_F_OFD_GETLK = 36, SEQUENCE_F_OFD_SETLK = 37 };
