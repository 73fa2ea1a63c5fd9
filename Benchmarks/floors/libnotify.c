// The cost of a timed notification with libnotify and nothing else.
//
//     libnotify COUNT FIRST INTERVAL      nanoseconds of the boot clock
#include <libnotify/notify.h>
#include "due.h"

int main(int count, char **words) {
  if (count != 4) give_up("usage: libnotify COUNT FIRST INTERVAL");
  long long first = atoll(words[2]), interval = atoll(words[3]);
  int timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC);
  if (timer < 0 || !notify_init("floor")) give_up("no timer, or no libnotify");
  NotifyNotification *notification = notify_notification_new("", "due now", NULL);
  for (long index = 0; index < atol(words[1]); index++) {
    char summary[64];
    snprintf(summary, sizeof summary, "libnotify %ld", index);
    wait_until(timer, first + index * interval);
    notify_notification_update(notification, summary, "due now", NULL);
    if (!notify_notification_show(notification, NULL)) give_up("not shown");
  }
}
