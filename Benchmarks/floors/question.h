#pragma once
// A floor waits for a line on standard input, runs its operation once, and answers with the nanoseconds that
// it took.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline long long now(clockid_t clock) {
  struct timespec time;
  if (clock_gettime(clock, &time) != 0) exit(1);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// Waits for a question; returns its number, or -1 at the end of the input.
static inline long question(void) {
  char line[64];
  return fgets(line, sizeof line, stdin) ? atol(line) : -1;
}

static inline void answer(long long nanoseconds) {
  printf("%lld\n", nanoseconds);
  if (fflush(stdout) != 0) exit(1);
}

static inline void give_up(const char *why) {
  fprintf(stderr, "%s\n", why);
  exit(1);
}
