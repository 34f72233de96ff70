package import Traces

extension TraceFeed {
  /// Counts of contents that are not replayed.
  package struct Others: Sendable, Hashable {
    package var tracks = 0
    package var segments = 0
    package var routePoints = 0
    package var waypoints = 0
    package var reportedVisits = 0
    package var records = 0
    package var repeatedReports = 0
    package var otherReceivers = 0
    /// Simulated positions, which were refused.
    package var simulatedFixes = 0

    package init() {}
  }
}

extension TraceFeed.Others {
  package mutating func count(_ mark: TraceMark) {
    switch mark {
    case .track: tracks += 1
    case .segment: segments += 1
    case .routePoint: routePoints += 1
    case .waypoint: waypoints += 1
    case .heading, .otherRecord, .deviceState: records += 1
    case .repeatedReport: repeatedReports += 1
    case .otherReceiver: otherReceivers += 1
    case .simulatedFix: simulatedFixes += 1
    case .reportedVisit: reportedVisits += 1
    case .route, .note, .issue, .status, .source, .deadline, .anchor, .forgotten:
      break
    }
  }

  package static func += (sum: inout Self, other: Self) {
    sum.tracks += other.tracks
    sum.segments += other.segments
    sum.routePoints += other.routePoints
    sum.waypoints += other.waypoints
    sum.reportedVisits += other.reportedVisits
    sum.records += other.records
    sum.repeatedReports += other.repeatedReports
    sum.otherReceivers += other.otherReceivers
    sum.simulatedFixes += other.simulatedFixes
  }
}
