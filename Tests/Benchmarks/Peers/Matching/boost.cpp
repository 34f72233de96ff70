// Boost's R-tree over the boxes of the circles, packed at once, then haversine.
// Boost includes headers of its own that it calls deprecated.
#define BOOST_ALLOW_DEPRECATED_HEADERS
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>

#include "matching.h"

namespace bg = boost::geometry;
using Point = bg::model::point<double, 2, bg::cs::cartesian>;
using Box = bg::model::box<Point>;
using Entry = std::pair<Box, uint32_t>;

class Tree {
  const std::vector<Fence> &fences;
  bg::index::rtree<Entry, bg::index::rstar<16>> tree;

  static std::vector<Entry> entries(const std::vector<Fence> &fences) {
    std::vector<Entry> entries;
    entries.reserve(fences.size());
    for (uint32_t i = 0; i < fences.size(); i++) {
      const Fence &fence = fences[i];
      HalfBox half(fence);
      entries.push_back({Box({fence.longitude - half.longitude, fence.latitude - half.latitude},
                             {fence.longitude + half.longitude, fence.latitude + half.latitude}),
                         i});
    }
    return entries;
  }

 public:
  explicit Tree(const std::vector<Fence> &all) : fences(all), tree(entries(all)) {}

  size_t count(Place place) const {
    size_t hits = 0;
    Point point(place.longitude, place.latitude);
    for (auto at = tree.qbegin(bg::index::intersects(point)); at != tree.qend(); ++at) {
      const Fence &fence = fences[at->second];
      hits += haversine(fence.latitude, fence.longitude, place.latitude, place.longitude) <=
              fence.radius;
    }
    return hits;
  }
};

int main(int count, char **arguments) { return run<Tree>(count, arguments); }
