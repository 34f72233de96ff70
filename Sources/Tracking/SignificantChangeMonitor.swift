internal import Geodesy
internal import Glibc

/// Reports when a device is far from where it was when that was last reported, or first seen.
///
/// It is reported with the first fix at which the device may be past the distance (probability 5 %) and
/// is almost certainly past half of it (99 %). So a real move is not reported late because an estimate
/// falls a metre short, and noise produces no events.
struct SignificantChangeMonitor: Sendable, Hashable, Codable {
  /// The place from which the distance counts.
  struct Reference: Sendable, Hashable, Codable {
    var coordinate: Coordinate
    /// Along one axis, metres.
    var sigma: Double
    /// When a change was last reported; nil before the first.
    var reported: Timestamp?

    // The keys of checkpoints stay as they were.
    private enum CodingKeys: String, CodingKey {
      case coordinate, sigma
      case reported = "said"
    }
  }

  /// The position of the last report, or the first estimate of the device; nil before that.
  var reference: Reference?

  private enum CodingKeys: String, CodingKey { case reference = "anchor" }

  /// Least probability that the distance is reached.
  static let possible = 0.05
  /// Least probability that half of it is reached.
  static let sure = 0.99

  /// A new estimate at a fix.
  ///
  /// `P(distance ≥ D) ≥ 0.05` and `P(distance ≥ D/2) ≥ 0.99` over all hypotheses and both
  /// uncertainties, once the interval has passed (Docs/Accuracy.md, "Significant changes").
  mutating func ingest(
    _ update: FilterUpdate, rules: SignificantChangeRules, into events: inout [Event]
  ) {
    guard let reference else {
      self.reference = Reference(
        coordinate: update.estimate.coordinate, sigma: update.estimate.sigma)
      return
    }
    if let reported = reference.reported, update.time.seconds(since: reported) < rules.interval {
      return
    }
    // Most often the device is where it was.
    let slack = 4 * (update.estimate.widest + reference.sigma)
    guard !reference.coordinate.isWithin(rules.distance - slack, of: update.estimate.coordinate)
    else {
      return
    }
    guard probability(of: rules.distance, update.positions, reference) >= Self.possible,
      probability(of: rules.distance / 2, update.positions, reference) >= Self.sure
    else { return }
    self.reference = Reference(
      coordinate: update.estimate.coordinate, sigma: update.estimate.sigma, reported: update.time)
    var moment = Moment(update.fix, time: update.time, decided: update.decided)
    moment.coordinate = update.estimate.coordinate
    moment.horizontalAccuracy = update.estimate.horizontalAccuracy
    events.append(moment.event(.significantChange))
  }

  /// Probability that the device is at least so far from the reference.
  func probability(
    of distance: Double, _ positions: PositionMixture, _ reference: Reference
  ) -> Double {
    positions.mean { component in
      let sigma = (component.sigma * component.sigma + reference.sigma * reference.sigma)
        .squareRoot()
      let excess = reference.coordinate.distance(to: positions.coordinate(of: component)) - distance
      return 0.5 * erfc(-excess / (sigma * 2.0.squareRoot()))
    }
  }

  /// The device has a new clock, now at `time`; the last fix on the old one was at `heard`.
  mutating func restartClock(at time: Timestamp, heard: Timestamp) {
    guard let reported = reference?.reported else { return }
    reference?.reported = time.advanced(byNanoseconds: -max(0, heard.nanoseconds(since: reported)))
  }
}
