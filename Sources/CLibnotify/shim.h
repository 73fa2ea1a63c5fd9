#pragma once
#include <gio/gio.h>
#include <libnotify/notify.h>
#include <glib-unix.h>
