internal import Geodesy

/// Apple's rule, from its Location Awareness Programming Guide: a crossing is reported when the
/// device has crossed the edge, is a least distance past it, and has stayed past it for at least 20
/// seconds. The event has the time and the position of the fix that completes this.
extension FenceMonitor {
  /// Seconds past it.
  static let cushionTime = 20.0

  /// Judges one fence by the fix alone.
  ///
  /// The time beyond the cushion counts between fixes, so with sparse fixes an event is up to one
  /// interval later than 20 s. A fix that is not beyond the cushion starts it over.
  mutating func cushion(
    _ index: Int, _ fence: FenceSet.Member, _ update: FilterUpdate, _ set: FenceSet,
    _ events: inout [Event]
  ) {
    let distance = fence.area.signedDistance(to: update.fix.coordinate)
    let place = stay(of: index)
    var edge = edge(of: index, seen: update.time)
    edge.seen = update.time
    let isBeyond = Self.isBeyond(distance, fence.area, isInside: place != nil)
    edge.beyond = isBeyond ? edge.beyond ?? update.time : nil
    if let since = edge.beyond, update.time.seconds(since: since) >= Self.cushionTime {
      edge.beyond = nil
      let moment = Moment(update.fix, time: update.time, decided: update.decided)
      let crossing = Crossing.unseen(fence.area, update.fix, inside: place == nil)
      if let place {
        reportDwell(place, by: update.time, set, &events, at: update.moment)
        leave(place, fence, crossing, moment, &events)
      } else {
        enter(index, fence, crossing, moment, &events)
      }
    }
    keep(&edge)
  }

  /// Whether a place at a distance from the edge is past it by the cushion.
  @inline(__always)
  static func isBeyond(_ distance: Double, _ area: Area, isInside: Bool) -> Bool {
    guard !isInside else { return distance >= Decision.cushion }
    // No place in a small fence is so far from its edge.
    return distance <= -min(Decision.cushion, area.approximateSize / 2)
  }
}
