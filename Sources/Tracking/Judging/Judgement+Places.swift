internal import Geodesy

/// What the engine knew of places when it judged a fix.
extension Judgement {
  /// How far the device is from where a significant change was last reported, or from its first place,
  /// metres.
  ///
  /// Nil when the fix was not used at once, or when nothing has been noted to measure from.
  package var movedDistance: Double? {
    guard let update, let reference = before.significantChanges.reference else { return nil }
    return reference.coordinate.distance(to: update.estimate.coordinate)
  }

  /// The probability that it moved that far since then.
  package func probability(ofMoving distance: Double) -> Double? {
    guard let update, let reference = before.significantChanges.reference else { return nil }
    return before.significantChanges.probability(of: distance, update.positions, reference)
  }

  /// Since when the device is away from the place of its stay; nil when it is there or has no stay.
  package var awaySince: Timestamp? { before.visits.stay?.away }

  /// The fixes at one place that may be a stay: for how many seconds, and the log-odds that they are one;
  /// nil when there are too few or they are too short.
  ///
  /// It judges a copy of the monitor under rules by which no stay is ever long enough, and takes
  /// what was gathered there.
  package func candidate(_ rules: VisitRules) -> (seconds: Double, evidence: Double)? {
    guard let update else { return nil }
    var (visits, events) = (before.visits, [Event]())
    visits.judgeSilence(update, rules, memory: before.rules.memory, &events)
    visits.seen = nil
    // A stay that is never long enough: what is left are the fixes that were weighed.
    var endless = rules
    endless.minimumStay = .infinity
    visits.ingest(update, rules: endless, memory: before.rules.memory, into: &events)
    let (first, trail) = (visits.first, visits.trail)
    guard let evidence = trail.evidence(from: first, rules: rules) else { return nil }
    return (trail.seconds(from: first, to: trail.end - 1), evidence)
  }
}

extension VisitRules {
  /// Share of ``minimumStay`` that the fixes at a place must last before a visit is reported, and the
  /// log-odds that they must exceed.
  package static var required: (share: Double, evidence: Double) {
    (VisitModel.leastShare, VisitModel.threshold)
  }
}

extension SignificantChangeRules {
  /// The probabilities that ``distance``, and half of it, must be reached.
  package static var required: (whole: Double, half: Double) {
    (SignificantChangeMonitor.possible, SignificantChangeMonitor.sure)
  }
}
