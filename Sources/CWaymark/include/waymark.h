/*
 * waymark: fixes of devices go in, events come out.
 *
 * Link with libwaymark.so. There is no global state: any number of threads may use the library, each
 * rules object may be shared by all of them, and an engine or a track belongs to one thread at a time.
 *
 * A function that can fail returns NULL, or the error as one line of UTF-8 text for waymark_free. After
 * an error nothing has changed. What a function gives is valid until it is freed.
 *
 * Times are nanoseconds since 1970 in UTC, positions are degrees on WGS 84, lengths metres, speeds
 * metres per second, courses degrees clockwise from true north, accuracies the radius that holds the
 * true position with probability 0.68.
 */
#ifndef WAYMARK_H
#define WAYMARK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define WAYMARK_CHECKED __attribute__((warn_unused_result))
#else
#define WAYMARK_CHECKED
#endif

/* The Arrow C data interface: the layout that every Arrow library shares. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

#endif

/* The version of this interface: raised when a program made for the last one could break. */
#define WAYMARK_INTERFACE 1

/* A fix without a time. */
#define WAYMARK_NO_TIME INT64_MIN

/* What is watched: fences and settings. It never changes. */
typedef struct waymark_rules waymark_rules;
/* The engines of many devices under the same rules, and the events that were not taken yet. */
typedef struct waymark_engine waymark_engine;
/* A recorded track that is being read. */
typedef struct waymark_track waymark_track;

/* Where rules come from; all of it may be NULL. */
typedef struct waymark_config {
  /* sizeof(waymark_config), so that a later version can have more members. */
  size_t size;
  /* The path of a config file. */
  const char *path;
  /* A config as text, instead: YAML or JSON, ended by 0; paths in it are relative to the working folder. */
  const char *text;
  /* More fences as the text of a GeoJSON document, ended by 0. */
  const char *fences;
} waymark_config;

/* Fixes as columns of `count` values. What is unknown is NaN, and in times WAYMARK_NO_TIME. */
typedef struct waymark_fixes {
  /* sizeof(waymark_fixes), so that a later version can have more members. */
  size_t size;
  size_t count;
  /* Numbers of waymark_engine_device. */
  const int32_t *devices;
  const int64_t *times;
  const double *latitudes;
  const double *longitudes;
  /* NULL when all are unknown. */
  const double *accuracies;
  const double *speeds;
  const double *courses;
} waymark_fixes;

/* The release of the library, such as 0.2.0. */
const char *waymark_version(void);

/* Frees a text or bytes that this library gave; NULL is allowed. */
void waymark_free(void *memory);

/* ---- rules ---- */

/* Makes rules; those without a config watch visits and significant changes. */
WAYMARK_CHECKED char *waymark_rules_new(const waymark_config *config, waymark_rules **rules);

/*
 * Gives the fences of rules, in their order, as a struct of columns.
 *
 * They are: id; latitude, longitude and radius of a circle; and the geometry of polygons as well-known
 * text, longitude first. What does not apply to a fence is null.
 */
WAYMARK_CHECKED char *waymark_rules_fences(
    const waymark_rules *rules, struct ArrowSchema *schema, struct ArrowArray *array);

/* Frees rules; engines that were made with them are not affected. NULL is allowed. */
void waymark_rules_free(waymark_rules *rules);

/* ---- tables ---- */

/*
 * Finds the columns of a table by their names, as the reader of CSV files does.
 *
 * `names` are `count` texts. `choice` names columns itself (time=ts,latitude=y), or is NULL. `columns`
 * gets a JSON object: for each field its column from 0, and what a value is multiplied with and divided
 * by to get our unit; a time is in units of so many nanoseconds, 0 when its size shows the unit.
 *
 * Some columns change what a row means: `date` is the day of a time that is a time of day;
 * `latitudeHemisphere` and `longitudeHemisphere` have the letters N or S and E or W; a row whose
 * `validity` is false, 0 or "No fix" is no fix, nor is one whose `kind` is another text than `value`.
 * `speedWithoutUnit` is a speed that is not read: beside an MMSI it may be in knots or in tenths of one.
 */
WAYMARK_CHECKED char *waymark_columns_match(
    const char *const *names, size_t count, const char *choice, char **columns);

/* ---- engines ---- */

/* Makes an engine without devices. */
WAYMARK_CHECKED char *waymark_engine_new(const waymark_rules *rules, waymark_engine **engine);

/* Frees an engine; NULL is allowed. */
void waymark_engine_free(waymark_engine *engine);

/* The number of the device with a name of `length` bytes of UTF-8; a new device is added. */
WAYMARK_CHECKED char *waymark_engine_device(
    waymark_engine *engine, const char *name, size_t length, int32_t *device);

/*
 * Plays fixes, those of each device in the order of their times.
 *
 * They are validated as everywhere: invalid, duplicated and impossible ones are dropped and counted,
 * and those that are a little late are put in their place.
 */
WAYMARK_CHECKED char *waymark_engine_feed(waymark_engine *engine, const waymark_fixes *fixes);

/* Advances the clock of a silent device; later fixes must not be before `now`. */
WAYMARK_CHECKED char *waymark_engine_advance(waymark_engine *engine, int32_t device, int64_t now);

/* Takes the events since the last call, as a struct of columns with the keys of the event log. */
WAYMARK_CHECKED char *waymark_engine_events(
    waymark_engine *engine, struct ArrowSchema *schema, struct ArrowArray *array);

/* Takes the events since the last call, as lines of the event log (JSON Lines). */
WAYMARK_CHECKED char *waymark_engine_log(waymark_engine *engine, char **lines, size_t *length);

/* What became of the fixes so far, as a JSON object; rows count from 0 over all calls of feed. */
WAYMARK_CHECKED char *waymark_engine_counts(waymark_engine *engine, char **counts);

/* The state of a device, from which another engine under rules with the same fences can continue. */
WAYMARK_CHECKED char *waymark_engine_save(
    waymark_engine *engine, int32_t device, uint8_t **state, size_t *length);

/* Replaces the state of a device. */
WAYMARK_CHECKED char *waymark_engine_resume(
    waymark_engine *engine, int32_t device, const uint8_t *state, size_t length);

/* ---- tracks ---- */

/* Opens a recorded track of any format that `waymark replay` reads. */
WAYMARK_CHECKED char *waymark_track_open(const char *path, waymark_track **track);

/*
 * Gives the next fixes, at least `least` of them unless the track ends; none at its end.
 *
 * `problems` gets what is wrong in the track since the last call, a line each; empty when nothing is. It
 * may be NULL: problems are then kept for a later call.
 */
WAYMARK_CHECKED char *waymark_track_read(
    waymark_track *track, size_t least, struct ArrowSchema *schema, struct ArrowArray *array,
    char **problems);

/* Closes a track; NULL is allowed. */
void waymark_track_free(waymark_track *track);

#ifdef __cplusplus
}
#endif

#endif
