// What every program of the matching benchmark does: reads the files that `cities` wrote, takes the
// processor's time, and prints one line of JSON.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

struct Fence {
  double latitude, longitude, radius;
};

struct Place {
  double latitude, longitude;
};

// A whole file of records, or as many of them as are wanted.
template <class Record>
std::vector<Record> read_records(const char *path, size_t most = SIZE_MAX) {
  FILE *file = fopen(path, "rb");
  if (!file) perror(path), exit(66);
  fseek(file, 0, SEEK_END);
  size_t count = ftell(file) / sizeof(Record);
  if (count > most) count = most;
  rewind(file);
  std::vector<Record> records(count);
  if (fread(records.data(), sizeof(Record), count, file) != count) perror(path), exit(74);
  fclose(file);
  return records;
}

inline double processor_seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

constexpr double DEGREE = M_PI / 180;
constexpr double EARTH = 6371008.8;  // mean radius, metres

inline double haversine(double lat1, double lon1, double lat2, double lon2) {
  double a = sin((lat2 - lat1) * DEGREE / 2), b = sin((lon2 - lon1) * DEGREE / 2);
  double h = a * a + cos(lat1 * DEGREE) * cos(lat2 * DEGREE) * b * b;
  return 2 * EARTH * asin(sqrt(h));
}

// Half the sides of a box in degrees that surely holds a circle, away from the poles.
struct HalfBox {
  double latitude, longitude;
  explicit HalfBox(const Fence &fence)
      : latitude(fence.radius / 110'000),
        longitude(fence.radius /
                  (110'000 * cos((std::abs(fence.latitude) + latitude) * DEGREE))) {}
};

struct Figures {
  size_t fixes = 0, hits = 0;
  double build = 0, match = 0;
  void print() const {
    printf("{\"fixes\": %zu, \"hits\": %zu, \"build\": %.6f, \"match\": %.6f}\n", fixes, hits,
           build, match);
  }
};

// PROGRAM FENCES FIXES [MOST]: builds an index, then asks it of each fix in how many fences it is.
template <class Index>
int run(int count, char **arguments) {
  if (count < 3) return fprintf(stderr, "usage: %s FENCES FIXES [MOST]\n", arguments[0]), 64;
  auto fences = read_records<Fence>(arguments[1]);
  auto places = read_records<Place>(arguments[2], count > 3 ? atoll(arguments[3]) : SIZE_MAX);
  Figures figures;
  double begin = processor_seconds();
  Index index(fences);
  double built = processor_seconds();
  for (const Place &place : places) figures.hits += index.count(place);
  figures.match = processor_seconds() - built;
  figures.build = built - begin;
  figures.fixes = places.size();
  figures.print();
  return 0;
}
