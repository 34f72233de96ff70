internal import Geodesy

/// The estimate and, whenever the fixes contradict it, an alternative hypothesis.
///
/// When the contradicting fixes agree with each other for longer than the errors of receivers are
/// correlated, the alternative replaces the estimate.
package struct MotionFilter: Sendable, Hashable, Codable {
  /// The estimate.
  var mixture: Mixture
  /// The hypothesis of the fixes that contradict the estimate: none or one.
  ///
  /// It is in an array because it is rare and as large as the estimate.
  var alternative: [Alternative] = []
  /// The time of the last fix before a long silence, while only its position was repeated since; usually nil.
  var asleep: Timestamp?

  // The keys of checkpoints stay as they were.
  private enum CodingKeys: String, CodingKey {
    case mixture
    case alternative = "challenger"
    case asleep
  }

  /// A hypothesis from fixes that agree with each other and not with the estimate.
  struct Alternative: Sendable, Hashable, Codable {
    var mixture: Mixture
    var last: FixMeasurement
    /// Time of its first fix.
    var since: Timestamp
    /// Seconds from the last fix that agreed with the estimate to its first.
    var gap: Double
    /// Number of its fixes.
    var count = 1
    /// Seconds from the last fix before a silence to its first, if only old positions came between; usually
    /// nil.
    var silence: Double?

    init(_ measurement: FixMeasurement, gap: Double) {
      mixture = Mixture(measurement)
      last = measurement
      since = measurement.time
      self.gap = gap
    }

    mutating func update(_ measurement: FixMeasurement) {
      let isOnCourse = mixture.leads(to: measurement)
      mixture.update(measurement)
      if mixture.outlier > 0.5 {
        // Without other fixes two may be any distance apart: the device may be very fast.
        if !isOnCourse { (since, count) = (last.time, 1) }
        mixture = Mixture(measurement, after: last)
      }
      count += 1
      last = measurement
    }

    /// Whether it surely moves.
    var isMoving: Bool {
      mixture.modes.weight[Modes.walk] + mixture.modes.weight[Modes.ride] > 0.99
    }
  }

  /// Whether this is a valid state at a time; a state that was read may be invalid.
  func isValid(at time: Timestamp) -> Bool {
    mixture.isValid(at: time) && alternative.count <= 1 && asleep.map { $0 <= time } ?? true
      && alternative.allSatisfy {
        GateCounts.possible.contains($0.count) && $0.mixture.isValid(at: time)
          && $0.last.time <= time
      }
  }

  /// Copies it over another.
  ///
  /// Assigned whole, it would be copied through its type's witnesses. It is mutating because a call on
  /// an optional filter would otherwise copy it first.
  mutating func copy(over other: inout MotionFilter) {
    other.mixture = mixture
    other.asleep = asleep
    if !alternative.isEmpty || !other.alternative.isEmpty { other.alternative = alternative }
  }

  /// Where the device is on the map.
  ///
  /// It changes nothing. It is mutating because a call on an optional filter would otherwise copy it.
  @inline(__always)
  var place: Vector {
    mutating get { mixture.modes.mean }
  }

  /// What it holds of each way to move; mutating as ``place``.
  var modes: Modes {
    mutating get { mixture.modes }
  }

  /// Updates with a measurement that is later than all before.
  mutating func update(_ measurement: FixMeasurement) {
    if !hold(measurement) { take(measurement) }
  }

  /// The same with one that ``hold(_:)`` does not take.
  mutating func take(_ measurement: FixMeasurement) {
    let before = mixture.time
    let silence = noteSilence(before: measurement)
    mixture.update(measurement)
    weighAlternative(measurement, before, silence)
  }

  /// Takes a fix that only repeats the position before; see ``Mixture/hold(_:)``.
  @inline(__always)
  mutating func hold(_ measurement: FixMeasurement) -> Bool {
    measurement.isSamePlace(as: mixture.last) && mixture.hold(measurement)
  }

  /// Whether the last fix only repeated a position.
  @inline(__always)
  var isHeld: Bool {
    mutating get { mixture.held != nil }
  }

  /// See ``Mixture/measured(before:on:)``.
  mutating func measured(before now: Timestamp, on map: LocalFrame) -> Estimate? {
    mixture.measured(before: now, on: map)
  }

  /// Where the device is, and the places where it may be.
  ///
  /// It changes nothing. It is mutating because a call on an optional filter would otherwise copy it.
  @inline(__always)
  mutating func estimate(on map: LocalFrame) -> (Estimate, PositionMixture) {
    mixture.estimate(on: map)
  }

  /// Moves the state to another map.
  mutating func move(_ change: MapChange) {
    mixture.move(change)
    for index in alternative.indices {
      alternative[index].mixture.move(change)
      alternative[index].last.move(change)
    }
  }

  /// Whether the alternative follows old positions and has too few fixes to replace the estimate: that may
  /// take the first for a fast ride.
  private var isFresh: Bool {
    !alternative.isEmpty && alternative[0].silence != nil && alternative[0].count < 3
  }

  /// A fix that is probably wrong, or off, or the first after old positions, starts or continues an alternative
  /// hypothesis.
  ///
  /// It replaces the estimate when it has three fixes or more and has lasted for `180 s / (1 +
  /// g/300 s)`, g being the silence before it, or for as long as ``Mixture/patience(before:)``
  /// says, whichever is less. Two fixes are enough when they are further apart than fixes are wrong
  /// (``MotionModel/longestOffset``). Fixes that are off stand still: one that surely moves with them
  /// replaces the estimate, too, and so do those that follow old positions (``noteSilence(before:)``).
  ///
  /// - Parameter silence: Of ``noteSilence(before:)``.
  private mutating func weighAlternative(
    _ measurement: FixMeasurement, _ before: Timestamp, _ silence: Double?
  ) {
    let isWrong = mixture.outlier > 0.5
    let isContradicted = isWrong || mixture.strayed != nil
    guard isContradicted || silence != nil || isFresh else {
      if !alternative.isEmpty { alternative.removeAll() }
      return
    }
    guard !alternative.isEmpty else {
      alternative = [Alternative(measurement, gap: measurement.time.seconds(since: before))]
      alternative[0].silence = silence
      return
    }
    // How good its reports are is a property of the device, not of a hypothesis.
    alternative[0].mixture.velocities = mixture.velocities
    alternative[0].mixture.correction = mixture.correction
    alternative[0].mixture.takeReceiver(of: mixture)
    alternative[0].mixture.refresh = mixture.refresh
    alternative[0].update(measurement)
    if !isWrong, !alternative[0].isMoving, alternative[0].silence == nil {
      (alternative[0].since, alternative[0].count) = (measurement.time, 0)
      return
    }
    var candidate = alternative[0]
    // Errors are correlated for a minute or two; after a long silence a new position is likelier.
    let gap = candidate.silence ?? candidate.gap
    let patience = min(
      MotionModel.challengePatience / (1 + gap / MotionModel.challengeGap),
      mixture.patience(before: candidate.since))
    let lasted = measurement.time.seconds(since: candidate.since)
    let isBetter =
      isWrong || candidate.silence != nil
      ? candidate.count >= 3 && lasted >= patience || lasted >= MotionModel.longestOffset
      : candidate.count >= 3 && lasted >= MotionModel.movingPatience
    guard isContradicted, isBetter else { return }
    candidate.mixture.takeReceiver(of: mixture)
    candidate.mixture.refresh = mixture.refresh
    mixture = candidate.mixture
    alternative.removeAll()
  }
}

extension MotionFilter {
  /// The initial state, from one fix.
  init(_ measurement: FixMeasurement) {
    self.init(mixture: Mixture(measurement))
  }
}
