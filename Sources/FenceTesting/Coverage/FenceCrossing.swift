internal import EventLog
internal import Tracking

/// A crossing of a fence, for coverage.
struct FenceCrossing: Hashable {
  /// The number of the fence in its set.
  var fence: Int
  var isEnter: Bool
  var edge: FenceEdge

  /// Nil for an event that crosses no edge.
  init?(_ entry: LogEntry, _ fences: FenceSet) {
    guard let event = entry.event, event.statement.crossing != nil,
      let fence = event.statement.fence.flatMap(fences.index(ofID:))
    else { return nil }
    self.fence = fence
    isEnter = entry.kind == .enter
    edge = FenceEdge.nearest(to: event.coordinate, of: fences[fence].area)
  }
}
