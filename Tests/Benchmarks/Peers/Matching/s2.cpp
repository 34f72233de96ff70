// S2CellIndex over coverings of the circles with at most 8 cells, then the chord's angle.
#include <s2/s2cap.h>
#include <s2/s2cell_index.h>
#include <s2/s2latlng.h>
#include <s2/s2region_coverer.h>

#include "matching.h"

class Cells {
  S2CellIndex index;
  std::vector<S2Cap> caps;
  std::unique_ptr<S2CellIndex::RangeIterator> range;
  std::unique_ptr<S2CellIndex::ContentsIterator> contents;

 public:
  explicit Cells(const std::vector<Fence> &fences) {
    S2RegionCoverer::Options options;
    options.set_max_cells(8);
    S2RegionCoverer coverer(options);
    std::vector<S2CellId> covering;
    for (uint32_t i = 0; i < fences.size(); i++) {
      auto center = S2LatLng::FromDegrees(fences[i].latitude, fences[i].longitude).ToPoint();
      caps.emplace_back(center, S1Angle::Radians(fences[i].radius / EARTH));
      coverer.GetCovering(caps.back(), &covering);
      for (S2CellId cell : covering) index.Add(cell, i);
    }
    index.Build();
    range = std::make_unique<S2CellIndex::RangeIterator>(&index);
    contents = std::make_unique<S2CellIndex::ContentsIterator>(&index);
  }

  size_t count(Place place) {
    auto point = S2LatLng::FromDegrees(place.latitude, place.longitude).ToPoint();
    range->Seek(S2CellId(point));
    contents->Clear();
    size_t hits = 0;
    for (contents->StartUnion(*range); !contents->done(); contents->Next())
      hits += caps[contents->label()].Contains(point);
    return hits;
  }
};

int main(int count, char **arguments) { return run<Cells>(count, arguments); }
