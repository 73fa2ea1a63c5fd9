#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast in a macro, which Swift does not import: "copy what is bound".
static inline sqlite3_destructor_type sequence_sqlite_transient(void) { return SQLITE_TRANSIENT; }

// Variadic functions are not imported. These make SQLite take memory as it needs it, and not in advance.
static inline int sequence_sqlite3_page_cache_on_demand(void) {
  return sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}
static inline int sequence_sqlite3_no_lookaside(void) { return sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0); }
