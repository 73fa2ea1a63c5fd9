#pragma once
// Waits for moments of the boot clock like the agent, with a timer set to the moment itself.
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include "question.h"

static inline void wait_until(int timer, long long moment) {
  struct itimerspec setting = {.it_value = {moment / 1000000000, moment % 1000000000}};
  uint64_t count;
  if (timerfd_settime(timer, TFD_TIMER_ABSTIME, &setting, NULL) != 0) give_up("timerfd_settime");
  if (read(timer, &count, sizeof count) != sizeof count) give_up("read");
}
