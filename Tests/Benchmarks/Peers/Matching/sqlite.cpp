// SQLite's R*Tree in memory, one prepared statement, then haversine.
#include <sqlite3.h>

#include "matching.h"

class Database {
  sqlite3 *database = nullptr;
  sqlite3_stmt *query = nullptr;

  void check(int code, int expected = SQLITE_OK) {
    if (code == expected) return;
    fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(database));
    exit(70);
  }
  void execute(const char *text) { check(sqlite3_exec(database, text, nullptr, nullptr, nullptr)); }
  sqlite3_stmt *prepare(const char *text) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v2(database, text, -1, &statement, nullptr));
    return statement;
  }

 public:
  explicit Database(const std::vector<Fence> &fences) {
    check(sqlite3_open(":memory:", &database));
    execute("create virtual table fences using rtree(id, south, north, west, east, "
            "+latitude real, +longitude real, +radius real)");
    execute("begin");
    sqlite3_stmt *insert = prepare("insert into fences values (?, ?, ?, ?, ?, ?, ?, ?)");
    for (size_t i = 0; i < fences.size(); i++) {
      const Fence &fence = fences[i];
      HalfBox half(fence);
      double values[] = {fence.latitude - half.latitude, fence.latitude + half.latitude,
                         fence.longitude - half.longitude, fence.longitude + half.longitude,
                         fence.latitude, fence.longitude, fence.radius};
      sqlite3_bind_int64(insert, 1, i);
      for (int column = 0; column < 7; column++)
        sqlite3_bind_double(insert, column + 2, values[column]);
      check(sqlite3_step(insert), SQLITE_DONE);
      sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    execute("commit");
    query = prepare("select latitude, longitude, radius from fences "
                    "where south <= ?1 and north >= ?1 and west <= ?2 and east >= ?2");
  }

  size_t count(Place place) {
    sqlite3_bind_double(query, 1, place.latitude);
    sqlite3_bind_double(query, 2, place.longitude);
    size_t hits = 0;
    while (sqlite3_step(query) == SQLITE_ROW)
      hits += haversine(sqlite3_column_double(query, 0), sqlite3_column_double(query, 1),
                        place.latitude, place.longitude) <= sqlite3_column_double(query, 2);
    sqlite3_reset(query);
    return hits;
  }
};

int main(int count, char **arguments) { return run<Database>(count, arguments); }
