#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast in a macro, which Swift does not import: "copy what is bound".
static inline sqlite3_destructor_type sequence_sqlite_transient(void) { return SQLITE_TRANSIENT; }

// Variadic functions are not imported. These make SQLite take memory as it needs it, and not in advance.
static inline int sequence_sqlite3_page_cache_on_demand(void) {
  return sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}
static inline int sequence_sqlite3_no_lookaside(void) { return sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0); }
// Closes a connection later without copying the log into the database.
static inline int sequence_sqlite3_no_checkpoint_on_close(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

// Macros with an operator are not imported.
static inline int sequence_sqlite3_short_read(void) { return SQLITE_IOERR_SHORT_READ; }

// Whether the open write-ahead log of a connection is shorter than its index in shared memory says.
//
// Source: https://www.sqlite.org/walformat.html, "The WAL-Index Header" and "WAL File Format"
static inline int sequence_sqlite3_is_log_cut_off(sqlite3 *connection) {
  sqlite3_file *database = 0, *log = 0;
  sqlite3_int64 size = 0;
  void volatile *index = 0;
  if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &database) != SQLITE_OK
      || sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) != SQLITE_OK
      || !database || !database->pMethods || database->pMethods->iVersion < 2 || !log || !log->pMethods
      || database->pMethods->xShmMap(database, 0, 32768, 0, &index) != SQLITE_OK || !index)
    return 0;
  // Only a checkpoint makes the log shorter, and it clears the count of frames before it does.
  const unsigned frames = *(volatile unsigned *)((volatile char *)index + 16);
  const unsigned short page = *(volatile unsigned short *)((volatile char *)index + 14);
  if (frames == 0 || log->pMethods->xFileSize(log, &size) != SQLITE_OK) return 0;
  // A page of 64 KiB has the size 1 here.
  const sqlite3_int64 frame = 24 + (page <= 1 ? 65536 : (sqlite3_int64)page);
  return size < 32 + (sqlite3_int64)frames * frame && *(volatile unsigned *)((volatile char *)index + 16) == frames;
}
