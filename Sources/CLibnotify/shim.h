#pragma once
#include <gio/gio.h>
#include <glib-unix.h>

// The functions of libnotify that are used. Its own header needs those of gdk-pixbuf, and its flags for the compiler
// have one that SwiftPM reports as prohibited in each build of a package that depends on this one.
// `scripts/try-dependency` compares them with the header.
//
// Source: libnotify/notification.h, libnotify/notify.h of libnotify 0.8.
typedef struct _NotifyNotification NotifyNotification;
typedef void (*NotifyActionCallback)(NotifyNotification *notification, char *action, gpointer user_data);

gboolean notify_init(const char *app_name);
void notify_uninit(void);
gboolean notify_is_initted(void);
NotifyNotification *notify_notification_new(const char *summary, const char *body, const char *icon);
void notify_notification_add_action(
  NotifyNotification *notification, const char *action, const char *label, NotifyActionCallback callback,
  gpointer user_data, GFreeFunc free_func);
void notify_notification_set_hint(NotifyNotification *notification, const char *key, GVariant *value);
void notify_notification_set_app_name(NotifyNotification *notification, const char *app_name);
void notify_notification_set_timeout(NotifyNotification *notification, gint timeout);
gboolean notify_notification_show(NotifyNotification *notification, GError **error);
gboolean notify_notification_close(NotifyNotification *notification, GError **error);
