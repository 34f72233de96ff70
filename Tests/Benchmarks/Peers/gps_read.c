// Reads a gpsd with libgps, and prints a line for every fix; its output is buffered.
#include <gps.h>
#include <math.h>
#include <stdio.h>

int main(int count, char **arguments) {
  static struct gps_data_t data;
  if (count != 2) return fprintf(stderr, "usage: gps_read PORT\n"), 64;
  if (gps_open("127.0.0.1", arguments[1], &data)) return fprintf(stderr, "no gpsd\n"), 69;
  gps_stream(&data, WATCH_ENABLE | WATCH_JSON, NULL);
  long fixes = 0;
  while (gps_waiting(&data, 60000000)) {
    // What an earlier line has set stays set.
    data.set = 0;
    if (gps_read(&data, NULL, 0) < 0) break;
    if (!(data.set & MODE_SET) || data.fix.mode < MODE_2D) continue;
    fixes++;
    printf("%lld.%03ld %.7f %.7f %.1f %.2f\n", (long long)data.fix.time.tv_sec,
           data.fix.time.tv_nsec / 1000000, data.fix.latitude, data.fix.longitude, data.fix.eph,
           data.fix.speed);
  }
  gps_close(&data);
  fprintf(stderr, "%ld fixes\n", fixes);
}
