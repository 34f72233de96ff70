internal import Geodesy

/// Apple's rule, as its Location Awareness Programming Guide tells: a crossing is reported when the
/// device has crossed the edge, is a least distance past it, and has stayed past it for at least 20
/// seconds. The event has the time and the place of the fix with which that was known.
extension FenceMonitor {
  /// Seconds past it.
  static let cushionTime = 20.0

  mutating func cushion(
    _ index: Int, _ fence: FenceSet.Member, _ sight: Sight, _ set: FenceSet, _ events: inout [Event]
  ) {
    let distance = fence.area.signedDistance(to: sight.fix.coordinate)
    let place = stay(of: index)
    var watch = watch(of: index) ?? Watch(fence: index, seen: sight.time)
    watch.seen = sight.time
    // No place in a small fence is so far from its edge.
    let depth =
      place == nil ? min(Decision.cushion, fence.area.approximateSize / 2) : Decision.cushion
    let isBeyond = place == nil ? distance <= -depth : distance >= depth
    watch.beyond = isBeyond ? watch.beyond ?? sight.time : nil
    if let since = watch.beyond, sight.time.seconds(since: since) >= Self.cushionTime {
      watch.beyond = nil
      let moment = Moment(sight.fix, time: sight.time, decided: sight.decided)
      let crossing = Crossing.unseen(fence.area, sight.fix, inside: place == nil)
      if let place {
        sayDwell(place, by: sight.time, set, &events, at: sight.moment)
        leave(place, fence, crossing, moment, &events)
      } else {
        enter(index, fence, crossing, moment, &events)
      }
    }
    keep(watch)
  }
}
