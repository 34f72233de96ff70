internal import Geocoding
internal import Geodesy
internal import Text
internal import Tracking

extension JSONBuilder {
  /// The keys `baseMap` and `towns`.
  mutating func baseMap(towns: [Town]) {
    data("baseMap", PageFile.baseMap)
    array("towns", towns) { json, town in
      json.object {
        $0.text("name", town.name)
        $0.number("latitude", town.coordinate.latitude, decimals: 4)
        $0.number("longitude", town.coordinate.longitude, decimals: 4)
        $0.number("size", town.size)
      }
    }
  }

  /// The key `fences`.
  mutating func fences(_ fences: some Sequence<Fence>) {
    array("fences", fences) { json, fence in
      json.object {
        $0.text("id", fence.id)
        switch fence.area {
        case .circle(let circle):
          $0.number("latitude", circle.center.latitude, decimals: 7)
          $0.number("longitude", circle.center.longitude, decimals: 7)
          $0.number("radius", circle.radius, decimals: 2)
        case .polygons(let polygons):
          $0.array("polygons", polygons) { json, polygon in
            json.list([polygon.exterior] + polygon.holes) { json, ring in
              json.list(ring) { $0.position($1.latitude, $1.longitude) }
            }
          }
        }
      }
    }
  }
}
