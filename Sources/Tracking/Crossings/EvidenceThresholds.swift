internal import Glibc

/// The evidence that a rule requires before it reports that an edge was crossed.
///
/// The test is sequential: it is made with each fix, and stops at the first one at which it is met.
/// The table of values is in Docs/Accuracy.md, "Rules of evidence".
struct EvidenceThresholds {
  /// Probability of being on the other side that is required of a device at rest, whose errors have
  /// much time to look like a motion.
  var resting: Double
  /// The same of one that moves.
  var moving: Double
  /// Seconds for which it must stay so probable, so that a single fix is not enough.
  var hold: Double
  /// A fix so many seconds after the one before needs no second one.
  var loneFix = Double.infinity
  /// Whether a moving device must stay so probable as long.
  let holdsMoving: Bool
  /// For one that moved and was there for a while, once that is over; nil when it is not reported.
  var passage: Double?
  /// For one whose way between two fixes led there; nil when it is not reported.
  var way: Double?
  /// How often events reported with some probability are right, as measured.
  let restingShare: Calibration
  let movingShare: Calibration

  /// The required probability for a given probability of rest.
  ///
  /// - Parameter stillness: Probability of rest, 0 to 1: ``Estimate/stillness``.
  func threshold(stillness: Double) -> Double {
    moving + (resting - moving) * stillness
  }

  /// Share of the events reported with this probability that are right.
  ///
  /// The probability at which a sequential test stops is not that of being right: a moving device moves
  /// on, so it is right more often; a device at rest had many occasions to be wrong.
  ///
  /// Platt's method: a logistic regression of the outcomes on the log-odds (J. C. Platt, 1999),
  /// apart for rest and motion.
  ///
  /// - Parameter isAccuracyKnown: Whether the fix that decides has an accuracy.
  func confidence(_ probability: Double, stillness: Double, isAccuracyKnown: Bool) -> Double {
    let doubt = isAccuracyKnown ? 0 : Calibration.unknownAccuracy
    let moving = movingShare.share(probability, doubt: doubt)
    let resting = restingShare.share(probability, doubt: doubt)
    return moving + (resting - moving) * stillness
  }

  /// The log-odds of being right: `base + slope` times the log-odds of the probability.
  ///
  /// Found by logistic regression on simulated journeys with known truth; Docs/Accuracy.md
  /// describes them, and the results on others.
  struct Calibration {
    let base: Double
    let slope: Double

    /// How much smaller the log-odds are when the accuracy of the fixes is not known: between what makes
    /// the claims of phones of MobilityNet right without their accuracies, and those of simulated ones.
    fileprivate static let unknownAccuracy = 1.1

    /// The measured share for a probability, 0 to 1.
    ///
    /// - Parameter doubt: By how much the log-odds are smaller.
    func share(_ probability: Double, doubt: Double) -> Double {
      // Beyond that the model of the filter is overconfident.
      let claim = min(max(probability, 0.0005), 0.9995)
      return 1 / (1 + exp(doubt - base - slope * log(claim / (1 - claim))))
    }
  }
}

extension Decision {
  /// The same for a recording that is known to its end (``HindsightTracker``).
  ///
  /// The smoothed estimate has no fix left to wait for: less evidence is right as often, while an error
  /// at rest must last longer. Chosen on the phones of MobilityNet and simulated worlds
  /// (Docs/Accuracy.md).
  func thresholds(inHindsight isKnown: Bool) -> EvidenceThresholds? {
    guard var thresholds else { return nil }
    guard isKnown, self == .balanced else { return thresholds }
    (thresholds.moving, thresholds.passage, thresholds.way) = (0.75, 0.75, 0.8)
    (thresholds.hold, thresholds.loneFix) = (15, MotionModel.gap)
    return thresholds
  }

  /// The evidence that the rule requires; nil for rules without evidence.
  ///
  /// They were chosen on simulated worlds for the rates of false events that Docs/Accuracy.md
  /// promises in its first section; the calibration is a regression on the same worlds.
  var thresholds: EvidenceThresholds? {
    switch self {
    case .eager:
      EvidenceThresholds(
        resting: 0.9, moving: 0.55, hold: 0, holdsMoving: false, passage: nil, way: 0.9,
        restingShare: .init(base: -1.5, slope: 0.33), movingShare: .init(base: 2.1, slope: 0.25))
    case .balanced:
      EvidenceThresholds(
        resting: 0.985, moving: 0.85, hold: 4, holdsMoving: false, passage: 0.85, way: 0.95,
        restingShare: .init(base: -1.5, slope: 0.52), movingShare: .init(base: 3.35, slope: 0.16))
    case .strict:
      EvidenceThresholds(
        resting: 0.99999, moving: 0.999, hold: 15, holdsMoving: true, passage: nil, way: nil,
        restingShare: .init(base: -8, slope: 1.5), movingShare: .init(base: 3.9, slope: 0.2))
    case .apple, .naive: nil
    }
  }
}
