// What the peers do with a point: read its place, elevation and time, and add them up.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int is_point, is_kept, in_point, text_length;
static char text[64];
static double degrees, metres;
static long long seconds, points;

static void begin_element(const char *name) {
  is_point = !strcmp(name, "trkpt");
  is_kept = in_point && (!strcmp(name, "ele") || !strcmp(name, "time"));
  text_length = 0;
  if (is_point) in_point = 1, points++;
}

static void add_attribute(const char *name, const char *value) {
  if (!strcmp(name, "lat") || !strcmp(name, "lon")) degrees += strtod(value, NULL);
}

static void add_text(const char *bytes, int length) {
  if (!is_kept || text_length + length >= (int)sizeof text) return;
  memcpy(text + text_length, bytes, length);
  text_length += length;
}

static int digits(int at, int count) {
  int number = 0;
  while (count--) number = number * 10 + text[at++] - '0';
  return number;
}

static void end_element(const char *name) {
  if (is_kept) {
    text[text_length] = 0;
    if (name[0] == 'e') {
      metres += strtod(text, NULL);
    } else {
      struct tm time = {.tm_year = digits(0, 4) - 1900, .tm_mon = digits(5, 2) - 1,
                        .tm_mday = digits(8, 2), .tm_hour = digits(11, 2),
                        .tm_min = digits(14, 2), .tm_sec = digits(17, 2)};
      seconds += timegm(&time);
    }
    is_kept = 0;
  }
  if (!strcmp(name, "trkpt")) in_point = 0;
}

static void print_sums(void) {
  printf("%lld points, sums %.0f %.0f %lld\n", points, degrees, metres, seconds);
}
