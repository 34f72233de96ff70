internal import Geodesy
internal import System
package import Tracking

extension FenceSet {
  /// A hash of everything about the fences that the state of a device depends on.
  package var fingerprint: UInt64 {
    var hash = FNV1a()
    func add(_ number: Double) {
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        hash.add(UInt8(truncatingIfNeeded: number.bitPattern >> shift))
      }
    }
    func add(_ ring: [Coordinate]) {
      for vertex in ring {
        add(vertex.latitude)
        add(vertex.longitude)
      }
      hash.add(1)
    }
    for fence in self {
      hash.add(fence.id)
      hash.add(0)
      hash.add(fence.decision.rawValue)
      switch fence.area {
      case .circle(let circle):
        add(circle.center.latitude)
        add(circle.center.longitude)
        add(circle.radius)
      case .polygons(let polygons):
        for polygon in polygons {
          add(polygon.exterior)
          for hole in polygon.holes { add(hole) }
          hash.add(2)
        }
      }
    }
    return hash.value
  }
}
