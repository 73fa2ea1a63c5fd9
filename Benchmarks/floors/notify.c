// The lowest cost of a timed notification: a timer, and one call over the session bus.
//
//     notify COUNT FIRST INTERVAL      nanoseconds of the boot clock
#include <dbus/dbus.h>
#include "due.h"

static void append_hint(DBusMessageIter *hints, const char *name, int type, const char *signature, const void *value) {
  DBusMessageIter entry, content;
  dbus_message_iter_open_container(hints, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
  dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, signature, &content);
  dbus_message_iter_append_basic(&content, type, value);
  dbus_message_iter_close_container(&entry, &content);
  dbus_message_iter_close_container(hints, &entry);
}

// Asks the server to show a notification that replaces another one, and returns its id.
static dbus_uint32_t notify(DBusConnection *bus, const char *summary, dbus_uint32_t replaced) {
  const char *server = "org.freedesktop.Notifications", *application = "floor", *icon = "", *body = "due now";
  const char *entry = "floor";
  unsigned char urgency = 1;
  dbus_int32_t expiry = -1;
  DBusMessage *call = dbus_message_new_method_call(server, "/org/freedesktop/Notifications", server, "Notify");
  DBusMessageIter words, list;
  dbus_message_append_args(
      call, DBUS_TYPE_STRING, &application, DBUS_TYPE_UINT32, &replaced, DBUS_TYPE_STRING, &icon, DBUS_TYPE_STRING,
      &summary, DBUS_TYPE_STRING, &body, DBUS_TYPE_INVALID);
  dbus_message_iter_init_append(call, &words);
  dbus_message_iter_open_container(&words, DBUS_TYPE_ARRAY, "s", &list);
  dbus_message_iter_close_container(&words, &list);
  dbus_message_iter_open_container(&words, DBUS_TYPE_ARRAY, "{sv}", &list);
  append_hint(&list, "desktop-entry", DBUS_TYPE_STRING, "s", &entry);
  append_hint(&list, "urgency", DBUS_TYPE_BYTE, "y", &urgency);
  dbus_message_iter_close_container(&words, &list);
  dbus_message_iter_append_basic(&words, DBUS_TYPE_INT32, &expiry);
  DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, call, 5000, NULL);
  dbus_uint32_t number;
  if (!reply || !dbus_message_get_args(reply, NULL, DBUS_TYPE_UINT32, &number, DBUS_TYPE_INVALID))
    give_up("no answer");
  dbus_message_unref(call);
  dbus_message_unref(reply);
  return number;
}

int main(int count, char **words) {
  if (count != 4) give_up("usage: notify COUNT FIRST INTERVAL");
  long long first = atoll(words[2]), interval = atoll(words[3]);
  int timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC);
  DBusConnection *bus = dbus_bus_get(DBUS_BUS_SESSION, NULL);
  if (timer < 0 || !bus) give_up("no timer, or no bus");
  dbus_uint32_t shown = 0;
  for (long index = 0; index < atol(words[1]); index++) {
    char summary[64];
    snprintf(summary, sizeof summary, "bus %ld", index);
    wait_until(timer, first + index * interval);
    shown = notify(bus, summary, shown);
  }
}
