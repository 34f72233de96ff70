internal import Geodesy
package import Tracking

extension Fence {
  /// A circle around 0, 0, decided by each fix alone, with a dwell of `dwell` seconds if given.
  package static func center(_ id: String = "here", radius: Double = 150, dwell: Int64? = nil)
    -> Fence
  {
    let center = Coordinate(latitude: 0, longitude: 0)
    var fence = Fence(id: id, area: .circle(Circle(center: center, radius: radius)))
    fence.decision = .naive
    fence.dwell = dwell.map { $0 * 1_000_000_000 }
    if dwell != nil { fence.notifications.insert(.dwell) }
    return fence
  }
}
