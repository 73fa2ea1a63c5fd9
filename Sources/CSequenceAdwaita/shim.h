#pragma once
// One source builds on GTK 4.8 and on later versions that deprecate parts of it.
#define GDK_DISABLE_DEPRECATION_WARNINGS
#define ADW_DISABLE_DEPRECATION_WARNINGS
#include <adwaita.h>
#include <glib-unix.h>
