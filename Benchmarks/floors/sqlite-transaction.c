// The lowest cost of durable storage: one SQLite transaction that inserts a number of rows, in the journal
// mode of Sequence. The argument is the path of a new database.
#include <sqlite3.h>
#include "question.h"

static sqlite3 *database;

static void run(const char *sql) {
  if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) give_up(sqlite3_errmsg(database));
}

static void insert(sqlite3_stmt *statement, long row) {
  char name[64];
  snprintf(name, sizeof name, "bench.card.%ld", row);
  sqlite3_bind_text(statement, 1, name, -1, SQLITE_TRANSIENT);
  sqlite3_bind_int64(statement, 2, row);
  if (sqlite3_step(statement) != SQLITE_DONE) give_up(sqlite3_errmsg(database));
  sqlite3_reset(statement);
}

int main(int count, char **words) {
  if (count != 2 || sqlite3_open(words[1], &database) != SQLITE_OK) give_up("no database");
  run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
      "CREATE TABLE entry (name TEXT NOT NULL, due INTEGER NOT NULL) STRICT");
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(database, "INSERT INTO entry VALUES (?, ?)", -1, &statement, NULL) != SQLITE_OK)
    give_up(sqlite3_errmsg(database));
  for (long rows = question(); rows > 0; rows = question()) {
    long long start = now(CLOCK_MONOTONIC);
    run("BEGIN IMMEDIATE");
    for (long row = 0; row < rows; row++) insert(statement, row);
    run("COMMIT");
    answer(now(CLOCK_MONOTONIC) - start);
  }
}
