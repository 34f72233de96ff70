package import Geodesy

/// The end of a long silence, after which a device repeats the position that it had before.
///
/// Such fixes may be old ones: a receiver that wakes repeats its last position until it has a new one, as
/// phones with a cached position do. When the next position is elsewhere, the device may have left at any
/// time of the silence.
package struct Wake: Sendable, Hashable, Codable {
  /// The time of the last fix before the silence.
  package var silence: Timestamp
  /// The time of the first fix after it.
  package var end: Timestamp
  /// The position that is repeated, to the last digit.
  package var coordinate: Coordinate
  /// Whether the device was elsewhere since: when it comes back, it is heard there.
  package var isOver = false

  /// A silence that is shorter than this hides no journey, seconds.
  private static let leastSilence = 600.0
  /// For how long after it crossings are decided with it, seconds.
  private static let patience = 1_800.0

  init(silence: Timestamp, end: Timestamp, coordinate: Coordinate) {
    (self.silence, self.end, self.coordinate) = (silence, end, coordinate)
  }

  /// The end of a silence at a fix; nil when it was short, or the fix is elsewhere than the one before it.
  package init?(_ fix: Fix, at time: Timestamp, after previous: Fix) {
    guard let last = previous.time, time.seconds(since: last) >= Self.leastSilence,
      fix.coordinate == previous.coordinate
    else { return nil }
    self.init(silence: last, end: time, coordinate: fix.coordinate)
  }

  /// Whether it still matters at a time: a device that is as silent again reports at such intervals.
  package func matters(at time: Timestamp) -> Bool {
    time.seconds(since: end) <= min(Self.patience, end.seconds(since: silence) / 2)
  }

  /// Takes an estimate with which its fix agrees.
  package mutating func follow(_ estimate: Estimate) {
    if !isOver { isOver = !estimate.coordinate.isWithin(3 * estimate.sigma, of: coordinate) }
  }

  /// Whether a fix of the window is the repeated position, but for the error of the map.
  package func isAt(_ position: Coordinate) -> Bool {
    coordinate.isWithin(0.1, of: position)
  }

  /// Whether a fix after the silence repeats the position.
  package func repeats(_ fix: Fix) -> Bool { fix.coordinate == coordinate }
}
