internal import Geodesy
internal import Tracking

/// The standard location updates of one manager.
struct StandardUpdates: Sendable {
  /// The position and accuracy of the last location delivered.
  private var last: (place: Coordinate, accuracy: Double?)?
  /// The time of the start; nil until the time is known.
  var started: Timestamp?
  var isPaused = false

  init(started: Timestamp?) {
    self.started = started
  }

  /// A location whose accuracy is at most this share of the last one's passes the distance filter.
  ///
  /// Core Location documents that smaller moves are reported when the accuracy has improved, with 500 m
  /// and then 100 m as its example.
  private static let clearlyBetter = 0.5

  /// Whether to deliver the location; if so, the filter measures from it.
  mutating func takes(_ location: Location, filter: Double) -> Bool {
    if filter > 0, let last, !isBetter(location, than: last.accuracy),
      last.place.distance(to: location.fix.coordinate) < filter
    {
      return false
    }
    last = (location.fix.coordinate, location.fix.horizontalAccuracy)
    return true
  }

  private func isBetter(_ location: Location, than before: Double?) -> Bool {
    guard let accuracy = location.fix.horizontalAccuracy else { return false }
    guard let before else { return true }
    return accuracy <= before * Self.clearlyBetter
  }
}
