// The world of the matching benchmark: cities, of which each has its share of fences and of moving
// devices. What is made depends on the numbers alone; fewer fences are the first of more.
//
//   cities fences COUNT FILE          three doubles a fence: latitude, longitude, radius
//   cities fences-csv COUNT FILE      the same as CSV, for `waymark compile`
//   cities fixes DEVICES SECONDS FILE two doubles a fix: second by second, device by device
//   cities fixes-ndjson DEVICES SECONDS FILE
//                                     the same as lines for `waymark pipe`
#include <cstring>
#include <string>

#include "matching.h"

// splitmix64, http://prng.di.unimi.it/splitmix64.c
class Lots {
  uint64_t state;

 public:
  explicit Lots(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  double unit() { return (next() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  double normal() { return sqrt(-2 * log(1 - unit())) * cos(2 * M_PI * unit()); }
};

constexpr int CITIES = 100;
constexpr double SPREAD = 5'000;  // standard deviation of a city, metres
constexpr double METRES_A_DEGREE = 111'195;

struct World {
  Place cities[CITIES];
  explicit World(Lots lots) {
    for (Place &city : cities)
      city = {asin(lots.between(-0.82, 0.91)) / DEGREE, lots.between(-175, 175)};
  }
  Place moved(Place place, double north, double east) const {
    return {place.latitude + north / METRES_A_DEGREE,
            place.longitude + east / (METRES_A_DEGREE * cos(place.latitude * DEGREE))};
  }
  Place somewhere(Lots &lots) const {
    Place city = cities[lots.next() % CITIES];
    double north = SPREAD * lots.normal();
    return moved(city, north, SPREAD * lots.normal());
  }
};

// Goes at a speed of its own and turns a little every second.
struct Device {
  Place place;
  double speed, course;
  Lots lots;
  Device(const World &world, uint64_t number) : lots(1'000'000 + number) {
    place = world.somewhere(lots);
    speed = lots.between(1, 25);
    course = lots.between(0, 2 * M_PI);
  }
  void move(const World &world) {
    course += 0.1 * lots.normal();
    place = world.moved(place, speed * cos(course), speed * sin(course));
  }
};

static void write_fences(const World &world, size_t count, FILE *file, bool as_text) {
  Lots lots(2);
  if (as_text) fputs("id,latitude,longitude,radius\n", file);
  for (size_t i = 0; i < count; i++) {
    Place place = world.somewhere(lots);
    Fence fence = {place.latitude, place.longitude, lots.between(30, 500)};
    if (as_text)
      fprintf(file, "fence-%zu,%.7f,%.7f,%.1f\n", i, fence.latitude, fence.longitude, fence.radius);
    else
      fwrite(&fence, sizeof fence, 1, file);
  }
}

static void write_line(FILE *file, size_t number, size_t second, const Device &device) {
  // 2025-03-10T00:00:00Z and less than a day.
  size_t minutes = second / 60;
  double course = fmod(device.course / DEGREE, 360);
  if (course < 0) course += 360;
  fprintf(file,
          "{\"type\":\"fix\",\"device\":\"device-%zu\","
          "\"time\":\"2025-03-10T%02zu:%02zu:%02zu.000Z\",\"latitude\":%.7f,\"longitude\":%.7f,"
          "\"accuracy\":5,\"speed\":%.2f,\"course\":%.1f}\n",
          number, minutes / 60, minutes % 60, second % 60, device.place.latitude,
          device.place.longitude, device.speed, fmin(course, 359.9));
}

static void write_fixes(const World &world, size_t count, size_t seconds, FILE *file,
                        bool as_text) {
  std::vector<Device> devices;
  for (size_t i = 0; i < count; i++) devices.emplace_back(world, i);
  for (size_t second = 0; second < seconds; second++)
    for (size_t i = 0; i < count; i++) {
      if (as_text)
        write_line(file, i, second, devices[i]);
      else
        fwrite(&devices[i].place, sizeof(Place), 1, file);
      devices[i].move(world);
    }
}

int main(int count, char **arguments) {
  std::string what = count > 3 ? arguments[1] : "";
  bool as_text = what.find('-') != std::string::npos;
  bool is_fences = what.rfind("fences", 0) == 0, is_fixes = what.rfind("fixes", 0) == 0;
  if (!(is_fences && count == 4) && !(is_fixes && count == 5))
    return fputs("usage: cities fences[-csv] COUNT FILE | fixes[-ndjson] DEVICES SECONDS FILE\n",
                 stderr), 64;
  FILE *file = fopen(arguments[count - 1], "wb");
  if (!file) return perror(arguments[count - 1]), 73;
  World world(Lots(1));
  if (is_fences)
    write_fences(world, atoll(arguments[2]), file, as_text);
  else
    write_fixes(world, atoll(arguments[2]), atoll(arguments[3]), file, as_text);
  if (fclose(file)) return perror(arguments[count - 1]), 74;
}
