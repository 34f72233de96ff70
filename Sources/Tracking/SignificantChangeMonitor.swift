internal import Geodesy
internal import Glibc

/// Says when a device is far from where it was when that was last said, or when it was first seen.
///
/// It is said with the first fix at which two things hold: that the device is past the distance is
/// within what is known of its place, and that it is at least half as far away is as good as sure.
/// So a real move is not said late because an estimate fell a metre short, and noise makes none.
struct SignificantChangeMonitor: Sendable, Hashable, Codable {
  /// The place from which the distance counts.
  struct Anchor: Sendable, Hashable, Codable {
    var coordinate: Coordinate
    /// Along one axis, metres.
    var sigma: Double
    /// When a change was last said; nil before the first.
    var said: Timestamp?
  }

  var anchor: Anchor?

  /// Probability with which the distance may have been reached.
  private static let possible = 0.05
  /// Probability with which half of it must have been.
  private static let sure = 0.99

  /// A new estimate at a fix.
  mutating func ingest(
    _ sight: Sight, rules: SignificantChangeRules, into events: inout [Event]
  ) {
    guard let anchor else {
      self.anchor = Anchor(coordinate: sight.estimate.coordinate, sigma: sight.estimate.sigma)
      return
    }
    if let said = anchor.said, sight.time.seconds(since: said) < rules.interval { return }
    // Most often the device is where it was.
    let slack = 4 * (sight.estimate.widest + anchor.sigma)
    guard !anchor.coordinate.isWithin(rules.distance - slack, of: sight.estimate.coordinate) else {
      return
    }
    guard probability(of: rules.distance, sight.spots, anchor) >= Self.possible,
      probability(of: rules.distance / 2, sight.spots, anchor) >= Self.sure
    else { return }
    self.anchor = Anchor(
      coordinate: sight.estimate.coordinate, sigma: sight.estimate.sigma, said: sight.time)
    var moment = Moment(sight.fix, time: sight.time, decided: sight.decided)
    moment.coordinate = sight.estimate.coordinate
    moment.horizontalAccuracy = sight.estimate.horizontalAccuracy
    events.append(moment.event(.significantChange))
  }

  /// Probability that the device is at least so far from the anchor.
  private func probability(of distance: Double, _ spots: Spots, _ anchor: Anchor) -> Double {
    spots.mean { spot in
      let sigma = (spot.sigma * spot.sigma + anchor.sigma * anchor.sigma).squareRoot()
      let excess = anchor.coordinate.distance(to: spots.coordinate(of: spot)) - distance
      return 0.5 * erfc(-excess / (sigma * 2.0.squareRoot()))
    }
  }

  /// The device has a new clock that says `time`; the old one was last heard at `heard`.
  mutating func restartClock(at time: Timestamp, heard: Timestamp) {
    guard let said = anchor?.said else { return }
    anchor?.said = time.advanced(byNanoseconds: -max(0, heard.nanoseconds(since: said)))
  }
}
