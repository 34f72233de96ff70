internal import Session

/// What track files hold besides the fixes that a ``TrackReader`` gives, as counts.
public struct TrackContents: Sendable, Hashable {
  /// Tracks that are named or marked as such.
  public var tracks = 0
  /// Parts of tracks that are not joined.
  public var segments = 0
  /// Points of planned routes, which no device reported; they are skipped.
  public var routePoints = 0
  /// Named places, which are skipped.
  public var waypoints = 0
  /// Stays that the file itself reports (Google's timelines), which are skipped.
  public var reportedVisits = 0
  /// Records of other kinds, such as the events of an event log, which are skipped.
  public var otherRecords = 0
  /// Repeated reports of an instant, which are skipped.
  public var repeatedReports = 0
  /// Reports of a receiver that is not followed, which are skipped.
  public var otherReceivers = 0
  /// Positions that a receiver called simulated, which are skipped.
  public var simulatedFixes = 0
  /// Fixes that another of the files had as well, which are given once.
  public var duplicates = 0

  /// Nothing counted.
  public init() {}

  init(_ feeds: [TraceFeed], duplicates: Int) {
    var sum = TraceFeed.Others()
    for feed in feeds { sum += feed.others }
    (tracks, segments, routePoints) = (sum.tracks, sum.segments, sum.routePoints)
    (waypoints, reportedVisits, otherRecords) = (sum.waypoints, sum.reportedVisits, sum.records)
    (repeatedReports, otherReceivers) = (sum.repeatedReports, sum.otherReceivers)
    simulatedFixes = sum.simulatedFixes
    self.duplicates = duplicates
  }
}
