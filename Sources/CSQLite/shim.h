#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast in a macro, which Swift does not import: "copy what is bound".
static inline sqlite3_destructor_type sequence_sqlite_transient(void) { return SQLITE_TRANSIENT; }
