// The C library as a program in C uses it: what it gives, and that no argument breaks it.
//
// library FOLDER: FOLDER is for files of the test. `make library-test` runs it with the address
// sanitizer, which also finds what is not freed.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "waymark.h"

static int failures;

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      failures++; \
    } \
  } while (0)

// A call that must succeed.
#define SUCCEEDS(call) \
  do { \
    char *error = (call); \
    if (error) printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, error), failures++; \
    waymark_free(error); \
  } while (0)

// A call that must fail with an error that contains a text.
#define FAILS(call, text) \
  do { \
    char *error = (call); \
    if (!error || !strstr(error, text)) { \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, error ? error : "no error"); \
      failures++; \
    } \
    waymark_free(error); \
  } while (0)

static const char *const depot =
    "fences: [{id: depot, center: [52.5, 13.4], radius: 100 m, initial: none}]\nvisits: false\n"
    "significant-changes: false\n";

enum { ROWS = 240 };

// A device that passes through the depot at 10 m/s, twice, with a fix each five seconds.
static int64_t times[ROWS];
static double latitudes[ROWS], longitudes[ROWS], accuracies[ROWS];
static int32_t devices[ROWS];

static void make_track(void) {
  for (int row = 0; row < ROWS; row++) {
    int metres = row < ROWS / 2 ? row * 50 - 3000 : 3000 - (row - ROWS / 2) * 50;
    times[row] = (1772000000LL + row * 5) * 1000000000LL;
    latitudes[row] = 52.5;
    longitudes[row] = 13.4 + metres / 67700.0;
    accuracies[row] = 5;
    devices[row] = 0;
  }
}

static waymark_fixes fixes(int from, int to) {
  waymark_fixes part = {
    .size = sizeof part, .count = (size_t)(to - from), .devices = devices + from,
    .times = times + from, .latitudes = latitudes + from, .longitudes = longitudes + from,
    .accuracies = accuracies + from,
  };
  return part;
}

static waymark_rules *rules_of(const char *text) {
  waymark_config config = {.size = sizeof config, .text = text};
  waymark_rules *rules = NULL;
  SUCCEEDS(waymark_rules_new(&config, &rules));
  return rules;
}

static waymark_engine *engine_of(const waymark_rules *rules) {
  waymark_engine *engine = NULL;
  int32_t device = -1;
  SUCCEEDS(waymark_engine_new(rules, &engine));
  SUCCEEDS(waymark_engine_device(engine, "van", 3, &device));
  CHECK(device == 0);
  return engine;
}

static void feed(waymark_engine *engine, int from, int to) {
  waymark_fixes part = fixes(from, to);
  SUCCEEDS(waymark_engine_feed(engine, &part));
}

// The lines of the events so far.
static char *log_of(waymark_engine *engine) {
  char *lines = NULL;
  size_t length = 0;
  SUCCEEDS(waymark_engine_log(engine, &lines, &length));
  CHECK(strlen(lines) == length);
  return lines;
}

static char *whole_log(const waymark_rules *rules) {
  waymark_engine *engine = engine_of(rules);
  feed(engine, 0, ROWS);
  char *lines = log_of(engine);
  waymark_engine_free(engine);
  return lines;
}

static void test_rules(const char *folder) {
  char path[4096];
  waymark_config config = {.size = sizeof config};
  waymark_rules *rules = NULL;
  SUCCEEDS(waymark_rules_new(NULL, &rules));
  waymark_rules_free(rules);
  SUCCEEDS(waymark_rules_new(&config, &rules));
  waymark_rules_free(rules);
  FAILS(waymark_rules_new(&config, NULL), "rules is NULL");
  config.text = "fence: []";
  FAILS(waymark_rules_new(&config, &rules), "config:1:1: fence: found the unknown key 'fence'");
  config.text = "fences: \xff";
  FAILS(waymark_rules_new(&config, &rules), "config.text is no UTF-8");
  config.text = "store: a.gpkg\ntime-zone: Europe/Berlin";
  SUCCEEDS(waymark_rules_new(&config, &rules));
  waymark_rules_free(rules);
  config.path = "/nowhere/waymark.yaml";
  FAILS(waymark_rules_new(&config, &rules), "a path and a text");
  config.text = NULL;
  FAILS(waymark_rules_new(&config, &rules), "/nowhere/waymark.yaml");
  config.path = NULL;
  config.fences = "{";
  FAILS(waymark_rules_new(&config, &rules), "fences:");
  config.size = 8;
  FAILS(waymark_rules_new(&config, &rules), "expected sizeof(waymark_config)");

  snprintf(path, sizeof path, "%s/waymark.yaml", folder);
  FILE *file = fopen(path, "w");
  fputs(depot, file);
  fclose(file);
  config = (waymark_config){.size = sizeof config, .path = path};
  SUCCEEDS(waymark_rules_new(&config, &rules));
  char *lines = whole_log(rules);
  CHECK(strstr(lines, "\"fence\":\"depot\""));
  waymark_free(lines);
  waymark_rules_free(rules);
}

// The text of a row in a column of texts.
static int is_text(const struct ArrowArray *column, int row, const char *text) {
  const int64_t *ends = column->buffers[1];
  const char *bytes = column->buffers[2];
  size_t length = (size_t)(ends[row + 1] - ends[row]);
  return length == strlen(text) && !memcmp(bytes + ends[row], text, length);
}

static void test_fences(void) {
  struct ArrowSchema schema;
  struct ArrowArray array;
  waymark_rules *rules = rules_of(
      "fences:\n"
      "- {id: Müggelsee, polygon: [[52.4, 13.6], [52.4, 13.7], [52.5, 13.65]]}\n"
      "- {id: depot, center: [52.5, -13.4], radius: 100 m}\n");
  SUCCEEDS(waymark_rules_fences(rules, &schema, &array));
  CHECK(array.length == 2 && array.n_children == 5 && schema.n_children == 5);
  const char *const names[] = {"id", "latitude", "longitude", "radius", "geometry"};
  for (int column = 0; column < 5; column++) {
    CHECK(!strcmp(schema.children[column]->name, names[column]));
    CHECK(!strcmp(schema.children[column]->format, column % 4 ? "g" : "U"));
    CHECK(array.children[column]->null_count == (column ? 1 : 0));
  }
  CHECK(is_text(array.children[0], 0, "Müggelsee") && is_text(array.children[0], 1, "depot"));
  CHECK(((const double *)array.children[1]->buffers[1])[1] == 52.5);
  CHECK(((const double *)array.children[2]->buffers[1])[1] == -13.4);
  CHECK(((const double *)array.children[3]->buffers[1])[1] == 100);
  CHECK(is_text(array.children[4], 0,
      "POLYGON ((13.6 52.4, 13.7 52.4, 13.65 52.5, 13.6 52.4))"));
  schema.release(&schema);
  array.release(&array);
  FAILS(waymark_rules_fences(NULL, &schema, &array), "rules is NULL");
  FAILS(waymark_rules_fences(rules, NULL, &array), "schema is NULL");
  FAILS(waymark_rules_fences(rules, &schema, NULL), "array is NULL");
  waymark_rules_free(rules);

  SUCCEEDS(waymark_rules_new(NULL, &rules));
  SUCCEEDS(waymark_rules_fences(rules, &schema, &array));
  CHECK(array.length == 0 && array.n_children == 5);
  schema.release(&schema);
  array.release(&array);
  waymark_rules_free(rules);
}

static void test_columns(void) {
  const char *names[] = {"lat", "lon", "ts", "speed (km/h)", "note"};
  const char *twice[] = {"lat", "lat", "lon", "ts"};
  const char *marked[] = {"date", "time", "lat", "N/S", "lon", "E/W", "hdop"};
  const char *outliers[] = {"timestamp", "location-long", "location-lat", "visible"};
  const char *log[] = {"type", "fence", "time", "latitude", "longitude"};
  const char *ships[] = {"mmsi", "ts", "lat", "lon", "speed"};
  const char *hole[] = {NULL};
  char *columns = NULL;
  SUCCEEDS(waymark_columns_match(names, 5, NULL, &columns));
  CHECK(strstr(columns, "\"latitude\":{\"column\":0"));
  CHECK(strstr(columns, "\"speed\":{\"column\":3,\"factor\":1.000000000,\"divisor\":3.600000000"));
  waymark_free(columns);
  SUCCEEDS(waymark_columns_match(names, 5, "device=note", &columns));
  CHECK(strstr(columns, "\"device\":{\"column\":4"));
  waymark_free(columns);
  SUCCEEDS(waymark_columns_match(marked, 7, NULL, &columns));
  CHECK(strstr(columns, "\"date\":{\"column\":0"));
  CHECK(strstr(columns, "\"latitudeHemisphere\":{\"column\":3}"));
  CHECK(strstr(columns, "\"longitudeHemisphere\":{\"column\":5}"));
  CHECK(strstr(columns, "\"hdop\":{\"column\":6"));
  waymark_free(columns);
  SUCCEEDS(waymark_columns_match(outliers, 4, NULL, &columns));
  CHECK(strstr(columns, "\"validity\":{\"column\":3}"));
  waymark_free(columns);
  SUCCEEDS(waymark_columns_match(log, 5, NULL, &columns));
  CHECK(strstr(columns, "\"kind\":{\"column\":0,\"value\":\"fix\"}"));
  waymark_free(columns);
  SUCCEEDS(waymark_columns_match(ships, 5, NULL, &columns));
  CHECK(strstr(columns, "\"speedWithoutUnit\":{\"column\":4}"));
  CHECK(!strstr(columns, "\"speed\":"));
  waymark_free(columns);
  SUCCEEDS(waymark_columns_match(ships, 5, "speed=speed", &columns));
  CHECK(strstr(columns, "\"speed\":{\"column\":4"));
  waymark_free(columns);
  FAILS(waymark_columns_match(names, 2, NULL, &columns), "no column has the time");
  FAILS(waymark_columns_match(twice, 4, NULL, &columns), "two columns are the latitude");
  FAILS(waymark_columns_match(names, 5, "time", &columns), "names no column");
  FAILS(waymark_columns_match(hole, 1, NULL, &columns), "names[0] is NULL");
  FAILS(waymark_columns_match(NULL, 1, NULL, &columns), "names is NULL");
  FAILS(waymark_columns_match(names, SIZE_MAX, NULL, &columns), "count is");
  FAILS(waymark_columns_match(names, 5, NULL, NULL), "columns is NULL");
}

static void test_events(void) {
  waymark_rules *rules = rules_of(depot);
  waymark_engine *engine = engine_of(rules);
  // The engine has its own reference.
  waymark_rules_free(rules);
  struct ArrowSchema schema;
  struct ArrowArray array;
  SUCCEEDS(waymark_engine_events(engine, &schema, &array));
  CHECK(array.length == 0 && array.n_children == schema.n_children);
  schema.release(&schema);
  array.release(&array);
  CHECK(schema.release == NULL && array.release == NULL);

  feed(engine, 0, ROWS);
  SUCCEEDS(waymark_engine_events(engine, &schema, &array));
  CHECK(!strcmp(schema.format, "+s") && array.length == 4 && array.null_count == 0);
  CHECK(!strcmp(schema.children[0]->name, "type") && !strcmp(schema.children[0]->format, "U"));
  CHECK(!strcmp(schema.children[4]->name, "time") && !strcmp(schema.children[4]->format, "tsn:UTC"));
  const int64_t *ends = array.children[0]->buffers[1];
  const char *text = array.children[0]->buffers[2];
  CHECK(ends[4] == 18 && !memcmp(text, "enterexitenterexit", 18));
  const int64_t *when = array.children[4]->buffers[1];
  for (int event = 0; event < 4; event++) CHECK(when[event] > times[0] && when[event] < times[ROWS - 1]);
  // A consumer may move a child and release the rest.
  struct ArrowArray moved = *array.children[4];
  array.children[4]->release = NULL;
  array.release(&array);
  schema.release(&schema);
  CHECK(((const int64_t *)moved.buffers[1])[0] > times[0]);
  moved.release(&moved);

  char *lines = log_of(engine);
  CHECK(!*lines);
  waymark_free(lines);
  waymark_engine_free(engine);
}

static void test_arguments(void) {
  waymark_rules *rules = rules_of(depot);
  waymark_engine *engine = engine_of(rules), *none = NULL;
  struct ArrowSchema schema;
  struct ArrowArray array;
  int32_t device;
  char *text;
  size_t length;
  uint8_t *state;
  FAILS(waymark_engine_new(NULL, &none), "rules is NULL");
  FAILS(waymark_engine_new(rules, NULL), "engine is NULL");
  FAILS(waymark_engine_device(NULL, "a", 1, &device), "engine is NULL");
  FAILS(waymark_engine_device(engine, NULL, 1, &device), "name is NULL");
  FAILS(waymark_engine_device(engine, "a", SIZE_MAX, &device), "the length of name is");
  FAILS(waymark_engine_device(engine, "", 0, &device), "is empty");
  FAILS(waymark_engine_device(engine, "\xff", 1, &device), "no UTF-8");
  FAILS(waymark_engine_device(engine, "a", 1, NULL), "device is NULL");
  FAILS(waymark_engine_events(engine, NULL, &array), "schema is NULL");
  FAILS(waymark_engine_events(engine, &schema, NULL), "array is NULL");
  FAILS(waymark_engine_log(engine, NULL, &length), "lines is NULL");
  FAILS(waymark_engine_log(engine, &text, NULL), "length is NULL");
  FAILS(waymark_engine_counts(engine, NULL), "counts is NULL");
  FAILS(waymark_engine_save(engine, 1, &state, &length), "device 1 is no number");
  FAILS(waymark_engine_save(engine, -1, &state, &length), "device -1 is no number");
  FAILS(waymark_engine_save(engine, 0, NULL, &length), "state is NULL");
  FAILS(waymark_engine_advance(engine, 7, 0), "device 7 is no number");
  SUCCEEDS(waymark_engine_advance(engine, 0, INT64_MAX));
  SUCCEEDS(waymark_engine_advance(engine, 0, INT64_MIN));

  waymark_fixes part = fixes(0, ROWS);
  FAILS(waymark_engine_feed(NULL, &part), "engine is NULL");
  FAILS(waymark_engine_feed(engine, NULL), "fixes is NULL");
  part.size = 16;
  FAILS(waymark_engine_feed(engine, &part), "expected sizeof(waymark_fixes)");
  part = fixes(0, ROWS);
  part.count = SIZE_MAX;
  FAILS(waymark_engine_feed(engine, &part), "fixes.count is");
  part = fixes(0, ROWS);
  part.times = NULL;
  FAILS(waymark_engine_feed(engine, &part), "fixes.times is NULL");
  part = (waymark_fixes){.size = sizeof part};
  SUCCEEDS(waymark_engine_feed(engine, &part));
  // Nothing is played when one device is wrong.
  devices[ROWS - 1] = 5;
  part = fixes(0, ROWS);
  FAILS(waymark_engine_feed(engine, &part), "row 239: device 5 is no number");
  devices[ROWS - 1] = 0;
  SUCCEEDS(waymark_engine_counts(engine, &text));
  CHECK(strstr(text, "\"fixes\":0,"));
  waymark_free(text);
  waymark_engine_free(engine);
  waymark_rules_free(rules);

  waymark_engine_free(NULL);
  waymark_rules_free(NULL);
  waymark_track_free(NULL);
  waymark_free(NULL);
}

// Numbers that no receiver means are counted, and the fixes around them are played as without them.
static void test_invalid_fixes(void) {
  const double odd[] = {NAN, INFINITY, -INFINITY, 1e308, -91, 181};
  waymark_rules *rules = rules_of(depot);
  char *expected = whole_log(rules), *counts = NULL;
  waymark_engine *engine = engine_of(rules);
  for (int row = 0; row < ROWS; row++) {
    feed(engine, row, row + 1);
    if (row % 40 != 39) continue;
    double latitude = odd[row / 40], longitude = 13.4, accuracy = odd[row / 40];
    int64_t time = row / 40 % 2 ? WAYMARK_NO_TIME : times[row] + 1;
    waymark_fixes one = {
      .size = sizeof one, .count = 1, .devices = devices, .times = &time, .latitudes = &latitude,
      .longitudes = &longitude, .accuracies = &accuracy, .speeds = &accuracy, .courses = &accuracy,
    };
    SUCCEEDS(waymark_engine_feed(engine, &one));
  }
  char *lines = log_of(engine);
  CHECK(!strcmp(lines, expected));
  SUCCEEDS(waymark_engine_counts(engine, &counts));
  CHECK(strstr(counts, "\"dropped\":{\"timeless\":{\"count\":3,\"row\":81},\"invalid\":{\"count\":3,\"row\":40}}"));
  waymark_free(counts);
  waymark_free(lines);
  waymark_free(expected);
  waymark_engine_free(engine);
  waymark_rules_free(rules);
}

// The events of a run are those of its two halves, wherever it is cut.
static void test_state(void) {
  waymark_rules *rules = rules_of(depot);
  char *expected = whole_log(rules);
  for (int cut = 0; cut <= ROWS; cut++) {
    waymark_engine *first = engine_of(rules), *second = engine_of(rules);
    uint8_t *state;
    size_t length;
    feed(first, 0, cut);
    SUCCEEDS(waymark_engine_save(first, 0, &state, &length));
    SUCCEEDS(waymark_engine_resume(second, 0, state, length));
    // A fix that is given twice is none.
    feed(second, cut > 0 ? cut - 1 : 0, ROWS);
    char *before = log_of(first), *after = log_of(second);
    size_t size = strlen(before);
    CHECK(!strncmp(expected, before, size) && !strcmp(expected + size, after));
    waymark_free(before);
    waymark_free(after);
    waymark_free(state);
    waymark_engine_free(first);
    waymark_engine_free(second);
  }
  waymark_free(expected);
  waymark_rules_free(rules);
}

static void test_hostile_states(void) {
  waymark_rules *rules = rules_of(depot);
  waymark_rules *others = rules_of("fences: [{id: depot, center: [52.5, 13.4], radius: 101 m}]");
  waymark_engine *engine = engine_of(rules), *other = engine_of(others);
  uint8_t *state, *again;
  size_t length, size;
  feed(engine, 0, ROWS / 2 + 60);
  SUCCEEDS(waymark_engine_save(engine, 0, &state, &length));
  FAILS(waymark_engine_resume(other, 0, state, length), "the state is from other fences");
  FAILS(waymark_engine_resume(engine, 0, NULL, length), "state is NULL");
  FAILS(waymark_engine_resume(engine, 3, state, length), "device 3 is no number");
  FAILS(waymark_engine_resume(engine, 0, state, SIZE_MAX), "the length of state is");
  for (size_t end = 0; end < length; end++) {
    // Memory of its own, so that the sanitizer sees a read beyond the end.
    uint8_t *part = malloc(end ? end : 1);
    memcpy(part, state, end);
    FAILS(waymark_engine_resume(engine, 0, part, end), "state");
    free(part);
  }
  for (size_t bit = 0; bit < length * 8; bit++) {
    state[bit / 8] ^= (uint8_t)(1 << bit % 8);
    FAILS(waymark_engine_resume(engine, 0, state, length), "state");
    state[bit / 8] ^= (uint8_t)(1 << bit % 8);
  }
  state[7] = 2;
  FAILS(waymark_engine_resume(engine, 0, state, length), "has version 2, this release reads version 1");
  state[7] = 1;
  // After all of this the device is where it was.
  SUCCEEDS(waymark_engine_save(engine, 0, &again, &size));
  CHECK(size == length && !memcmp(state, again, size));
  waymark_free(again);
  waymark_free(state);
  waymark_engine_free(engine);
  waymark_engine_free(other);
  waymark_rules_free(rules);
  waymark_rules_free(others);
}

static void test_track(const char *folder) {
  char path[4096], *problems;
  waymark_track *track = NULL;
  struct ArrowSchema schema;
  struct ArrowArray array;
  snprintf(path, sizeof path, "%s/walk.csv", folder);
  FILE *file = fopen(path, "w");
  fputs("device,time,latitude,longitude,accuracy\n", file);
  for (int row = 0; row < ROWS; row++) {
    fprintf(file, "%s,%lld,%.7f,%.7f,5\n", row % 2 ? "van" : "bus",
        (long long)(times[row] / 1000000000), latitudes[row], longitudes[row]);
  }
  fputs("van,1772002000,north,13.4,5\n", file);
  fclose(file);
  SUCCEEDS(waymark_track_open(path, &track));
  int64_t rows = 0, last = 1;
  char found[1024] = "";
  while (last > 0) {
    SUCCEEDS(waymark_track_read(track, 100, &schema, &array, &problems));
    strncat(found, problems, sizeof found - strlen(found) - 1);
    waymark_free(problems);
    last = array.length;
    rows += last;
    if (last > 1) {
      const int32_t *device = array.children[0]->buffers[1];
      CHECK(!strcmp(schema.children[0]->format, "i") && schema.children[0]->dictionary);
      CHECK(device[0] == 0 && device[1] == 1 && array.children[0]->dictionary->length == 2);
      CHECK(array.children[5]->null_count == last);
    }
    schema.release(&schema);
    array.release(&array);
  }
  CHECK(rows == ROWS);
  CHECK(strstr(found, "walk.csv:242:16: ") && !strstr(strstr(found, ":242:") + 1, ":242:"));
  FAILS(waymark_track_read(track, 0, NULL, &array, NULL), "schema is NULL");
  FAILS(waymark_track_read(NULL, 0, &schema, &array, NULL), "track is NULL");
  waymark_track_free(track);

  // Simulated positions are left out, and counted.
  snprintf(path, sizeof path, "%s/lab.log", folder);
  file = fopen(path, "w");
  for (int second = 0; second < 5; second++) {
    fprintf(file, "{\"class\":\"TPV\",\"status\":%d,\"mode\":3,\"time\":\"2025-03-10T08:00:0%d.000Z\","
        "\"lat\":52.5,\"lon\":13.4}\n", second < 2 ? 8 : 3, second);
  }
  fclose(file);
  SUCCEEDS(waymark_track_open(path, &track));
  for (rows = 0, last = 1; last > 0; rows += last) {
    SUCCEEDS(waymark_track_read(track, 100, &schema, &array, NULL));
    last = array.length;
    schema.release(&schema);
    array.release(&array);
  }
  CHECK(rows == 3);
  // Problems that nobody took are kept.
  SUCCEEDS(waymark_track_read(track, 100, &schema, &array, &problems));
  CHECK(array.length == 0);
  schema.release(&schema);
  array.release(&array);
  CHECK(strstr(problems, "lab.log: left out 2 simulated positions"));
  waymark_free(problems);
  waymark_track_free(track);

  FAILS(waymark_track_open("/nowhere/walk.gpx", &track), "/nowhere/walk.gpx");
  FAILS(waymark_track_open(folder, &track), folder);
  FAILS(waymark_track_open(NULL, &track), "path is NULL");
  FAILS(waymark_track_open(path, NULL), "track is NULL");
}

struct run {
  const waymark_rules *rules;
  char *log;
};

static void *run(void *argument) {
  struct run *run = argument;
  run->log = whole_log(run->rules);
  return NULL;
}

static void test_threads(void) {
  enum { THREADS = 8 };
  waymark_rules *rules = rules_of(depot);
  char *expected = whole_log(rules);
  pthread_t threads[THREADS];
  struct run runs[THREADS];
  for (int number = 0; number < THREADS; number++) {
    runs[number].rules = rules;
    pthread_create(&threads[number], NULL, run, &runs[number]);
  }
  for (int number = 0; number < THREADS; number++) {
    pthread_join(threads[number], NULL);
    CHECK(!strcmp(runs[number].log, expected));
    waymark_free(runs[number].log);
  }
  waymark_free(expected);
  waymark_rules_free(rules);
}

int main(int count, char **arguments) {
  if (count != 2) return fputs("usage: library FOLDER\n", stderr), 64;
  make_track();
  CHECK(strlen(waymark_version()) >= 5);
  test_rules(arguments[1]);
  test_fences();
  test_columns();
  test_events();
  test_arguments();
  test_invalid_fixes();
  test_state();
  test_hostile_states();
  test_track(arguments[1]);
  test_threads();
  printf(failures ? "%d failures\n" : "the C library: all tests passed\n", failures);
  return failures ? 1 : 0;
}
