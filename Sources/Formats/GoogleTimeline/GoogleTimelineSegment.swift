import Geodesy
import Traces
import Tracking

/// A segment of a timeline while it is read: a stay, a trip, or a path.
struct GoogleTimelineSegment: Sendable {
  var start: Timestamp?
  var end: Timestamp?
  /// Above 0 for a place inside of another one, of which there is a segment as well.
  var level = 0.0
  /// The line of its last place.
  var line = 1
  private var stay: TracePoint?
  private var ends: (start: TracePoint?, end: TracePoint?)
  /// The points of a path whose times count from the start, with their minutes.
  private var points: [(point: TracePoint, minutes: Double)] = []
  private var excessCount = 0

  /// The most points that are held: more than one a second in the two hours of a path.
  static let limit = 1 << 14

  mutating func set(_ place: GoogleTimelineContent.Place, _ point: TracePoint?) {
    switch place {
    case .stay: stay = point ?? stay
    case .start: ends.start = point
    case .end: ends.end = point
    }
  }

  mutating func add(_ point: TracePoint, after minutes: Double) {
    guard points.count < Self.limit else { return excessCount += 1 }
    points.append((point, minutes))
  }

  /// Adds the fixes to the window; returns what is wrong with them.
  func finish(_ window: inout TimelineWindow, into batch: inout TraceBatch) -> String? {
    if level > 0 {
      batch.mark(.otherRecord)
      return nil
    }
    if let stay, let start {
      let visit = ReportedVisit(
        arrival: start, departure: end, coordinate: stay.fix.coordinate)
      batch.mark(.reportedVisit(visit))
    }
    for (point, time, arrival) in [
      (stay ?? ends.start, start, nil), (stay ?? ends.end, end, stay == nil ? nil : start),
    ] {
      guard var point, time != nil else { continue }
      point.fix.time = time
      window.add(point, from: .end, since: arrival, into: &batch)
    }
    for (point, minutes) in points {
      guard let time = time(after: minutes) else { continue }
      var point = point
      point.fix.time = time
      window.add(point, from: .path, into: &batch)
    }
    if !points.isEmpty, start == nil {
      return "the path has no startTime, so its \(points.count) points have no time; left out"
    }
    if excessCount > 0 {
      return "the path has \(points.count + excessCount) points, of which the first \(Self.limit) "
        + "are read"
    }
    return nil
  }

  private func time(after minutes: Double) -> Timestamp? {
    guard let start else { return nil }
    let nanoseconds = (minutes * 60e9).rounded()
    guard nanoseconds.magnitude < 1e18 else { return nil }
    return Timestamp(nanoseconds: start.nanoseconds &+ Int64(nanoseconds))
  }
}
