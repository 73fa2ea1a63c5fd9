/*
 * Tells Thread Sanitizer how a contended Mutex of Swift orders memory accesses.
 *
 * Mutex locks and unlocks with atomic operations, which the sanitizer sees. If another thread holds it, the Swift
 * library takes over: it is not instrumented, and it waits in the kernel. To the sanitizer, the next thread then
 * enters without a lock. These functions replace the slow paths of lock and unlock: they call those of the library, and
 * report the order. No code tries a lock without waiting (withLockIfAvailable).
 *
 * Source: stdlib/public/Synchronization/Mutex/LinuxImpl.swift in the sources of Swift.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <stdint.h>
#include <stdlib.h>

#define SWIFT_METHOD __attribute__((swiftcall))
#define SWIFT_SELF __attribute__((swift_context))

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

/* Returns the function of the library. */
static void *next(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) abort();
  return function;
}

SWIFT_METHOD void lock_slow(uint32_t thread, SWIFT_SELF void *mutex) __asm__(LOCK_SLOW);
SWIFT_METHOD void unlock_slow(SWIFT_SELF void *mutex) __asm__(UNLOCK_SLOW);

SWIFT_METHOD void lock_slow(uint32_t thread, SWIFT_SELF void *mutex) {
  SWIFT_METHOD void (*lock)(uint32_t, SWIFT_SELF void *) = next(LOCK_SLOW);
  lock(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT_METHOD void unlock_slow(SWIFT_SELF void *mutex) {
  SWIFT_METHOD void (*unlock)(SWIFT_SELF void *) = next(UNLOCK_SLOW);
  __tsan_release(mutex);
  unlock(mutex);
}
