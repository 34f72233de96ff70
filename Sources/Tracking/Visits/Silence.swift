internal import Geodesy

/// A silence in which a device left a place.
struct Silence: Sendable, Hashable, Codable {
  var start: Timestamp
  /// How long it was, seconds.
  var seconds: Double
  /// How far away it was heard again, metres, and how fast it went then; 0 when that is not known.
  var distance: Double
  var speed: Double

  /// When the device was heard again.
  var end: Timestamp { start.advanced(bySeconds: seconds) }

  /// Seconds that the way takes.
  var way: Double { Rhythm.way(fromRest: distance, speed: speed) }

  /// When it left, by what is known of its rhythm now: often more than when the silence ended.
  func departure(_ rhythm: Rhythm) -> VisitMonitor.Departure {
    let guess = rhythm.departure(fromRestIn: seconds, distance: distance, speed: speed)
    return VisitMonitor.Departure(
      time: start.advanced(bySeconds: guess.offset), uncertainty: guess.sigma)
  }
}
