// What is true: each fix against each circle by GeographicLib's geodesic, where a box that surely
// holds the circle does not rule it out; of some fixes without boxes, to hold the boxes to it.
//
//   truth FENCES FIXES DEVICES SAMPLE COUNTS    writes to COUNTS in how many fences each fix is
#include <GeographicLib/Geodesic.hpp>
#include <algorithm>
#include <unordered_map>

#include "digest.h"

class Truth {
  std::vector<Fence> fences;
  std::unordered_map<int64_t, std::vector<uint32_t>> cells;
  static constexpr double CELLS_A_DEGREE = 100;

  static int64_t cell(double degrees) { return (int64_t)floor(degrees * CELLS_A_DEGREE); }
  static int64_t key(int64_t row, int64_t column) { return row * 100'000 + column; }

 public:
  explicit Truth(std::vector<Fence> all) : fences(std::move(all)) {
    for (uint32_t i = 0; i < fences.size(); i++) {
      const Fence &fence = fences[i];
      HalfBox half(fence);
      for (int64_t row = cell(fence.latitude - half.latitude);
           row <= cell(fence.latitude + half.latitude); row++)
        for (int64_t column = cell(fence.longitude - half.longitude);
             column <= cell(fence.longitude + half.longitude); column++)
          cells[key(row, column)].push_back(i);
    }
  }

  bool contains(uint32_t i, Place place) const {
    double distance;
    GeographicLib::Geodesic::WGS84().Inverse(fences[i].latitude, fences[i].longitude,
                                             place.latitude, place.longitude, distance);
    return distance <= fences[i].radius;
  }

  std::vector<uint32_t> inside(Place place) const {
    std::vector<uint32_t> found;
    auto at = cells.find(key(cell(place.latitude), cell(place.longitude)));
    if (at == cells.end()) return found;
    for (uint32_t i : at->second)
      if (contains(i, place)) found.push_back(i);
    return found;
  }

  std::vector<uint32_t> inside_of_all(Place place) const {
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < fences.size(); i++)
      if (contains(i, place)) found.push_back(i);
    return found;
  }
};

int main(int count, char **arguments) {
  if (count != 6) return fprintf(stderr, "usage: truth FENCES FIXES DEVICES SAMPLE COUNTS\n"), 64;
  Truth truth(read_records<Fence>(arguments[1]));
  auto places = read_records<Place>(arguments[2]);
  size_t devices = atoll(arguments[3]), sample = atoll(arguments[4]);
  std::vector<uint16_t> counts(places.size());
  std::vector<std::vector<uint32_t>> before(devices);
  Digest digest;
  for (size_t i = 0; i < places.size(); i++) {
    auto found = truth.inside(places[i]);
    counts[i] = found.size();
    digest.add(i, found, before[i % devices]);
    before[i % devices] = std::move(found);
  }
  size_t differing = 0, step = std::max<size_t>(1, places.size() / std::max<size_t>(1, sample));
  for (size_t k = 0; k < sample; k++) {
    Place place = places[k * step % places.size()];
    differing += truth.inside(place) != truth.inside_of_all(place);
  }
  FILE *file = fopen(arguments[5], "wb");
  if (!file || fwrite(counts.data(), 2, counts.size(), file) != counts.size() || fclose(file))
    return perror(arguments[5]), 74;
  digest.print(places.size(), sample, differing);
}
