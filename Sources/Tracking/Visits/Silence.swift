internal import Geodesy

/// A silence in which a device left a place.
struct Silence: Sendable, Hashable, Codable {
  /// The last fix before it, or before its position was only repeated.
  var start: Timestamp
  /// How long it was, seconds.
  var seconds: Double
  /// Distance of the first fix after it, metres, and the speed there; 0 when that is unknown.
  var distance: Double
  var speed: Double

  /// The time of the first fix after it.
  var end: Timestamp { start.advanced(bySeconds: seconds) }

  /// Seconds that the journey takes.
  ///
  /// From rest: the device walks first, and rides when the distance is far
  /// (``Rhythm/way(fromRest:speed:)``).
  var way: Double { Rhythm.way(fromRest: distance, speed: speed) }

  /// The departure by the rhythm as it is known now, often better than at the end of the silence.
  func departure(_ rhythm: Rhythm) -> VisitMonitor.Departure {
    let guess = rhythm.departure(fromRestIn: seconds, distance: distance, speed: speed)
    return VisitMonitor.Departure(
      time: start.advanced(bySeconds: guess.offset), uncertainty: guess.sigma)
  }
}
