internal import Geodesy

/// The estimate and, whenever the fixes contradict it, a challenger.
///
/// When the fixes that contradict go on to agree among themselves for longer than receivers err
/// alike, they are believed: the challenger takes the estimate's place.
struct MotionFilter: Sendable, Hashable, Codable {
  /// The estimate.
  var mixture: Mixture
  /// What the fixes say that contradict the estimate: none or one, in an array, as it is rare and as
  /// large as the estimate.
  var challenger: [Challenger] = []

  /// Fixes that belong together and not to the estimate.
  struct Challenger: Sendable, Hashable, Codable {
    var mixture: Mixture
    var last: Sighting
    /// Time of its first fix.
    var since: Timestamp
    /// Seconds from the last fix that agreed with the estimate to its first.
    var gap: Double
    /// Number of its fixes.
    var count = 1

    init(_ sighting: Sighting, gap: Double) {
      mixture = Mixture(sighting)
      last = sighting
      since = sighting.time
      self.gap = gap
    }

    mutating func ingest(_ sighting: Sighting) {
      mixture.ingest(sighting)
      if mixture.outlier > 0.5 {
        // Alone, two fixes may be any distance apart: they may be of something very fast.
        mixture = Mixture(sighting, after: last)
        (since, count) = (last.time, 1)
      }
      count += 1
      last = sighting
    }
  }

  /// Whether this can have taken fixes up to a time; one that was read from elsewhere may not.
  func isValid(at time: Timestamp) -> Bool {
    mixture.last.time <= time && challenger.count <= 1
      && challenger.allSatisfy {
        GateCounts.possible.contains($0.count) && $0.mixture.last.time <= time
          && $0.last.time <= time
      }
  }

  /// Takes a sighting that is later than all before.
  mutating func ingest(_ sighting: Sighting) {
    let before = mixture.last.time
    mixture.ingest(sighting)
    weighChallenger(sighting, before)
  }

  /// Where the device is, and the places where it may be.
  ///
  /// It changes nothing; but who may not change a filter in an optional asks a copy, which is large.
  @inline(__always)
  mutating func estimate(on map: LocalFrame) -> (Estimate, Spots) { mixture.estimate(on: map) }

  /// Shows all on another map.
  mutating func move(_ change: MapChange) {
    mixture.move(change)
    for index in challenger.indices {
      challenger[index].mixture.move(change)
      challenger[index].last.move(change)
    }
  }

  /// A fix that is probably wrong begins or carries on a challenger.
  private mutating func weighChallenger(_ sighting: Sighting, _ before: Timestamp) {
    guard mixture.outlier > 0.5 else {
      if !challenger.isEmpty { challenger.removeAll() }
      return
    }
    guard !challenger.isEmpty else {
      challenger = [Challenger(sighting, gap: sighting.time.seconds(since: before))]
      return
    }
    challenger[0].ingest(sighting)
    let rival = challenger[0]
    // Receivers err alike for a minute or two; after a long silence a new place is likelier.
    let patience = MotionModel.challengePatience / (1 + rival.gap / MotionModel.challengeGap)
    if rival.count >= 3, sighting.time.seconds(since: rival.since) >= patience {
      mixture = rival.mixture
      challenger.removeAll()
    }
  }
}

extension MotionFilter {
  /// All that is known is one fix.
  init(_ sighting: Sighting) {
    self.init(mixture: Mixture(sighting))
  }
}
