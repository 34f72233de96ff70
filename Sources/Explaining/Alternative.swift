internal import EventLog
internal import Geodesy
package import Tracking

/// A change of a fence with which an event would have been reported.
package struct Alternative: Sendable, Hashable {
  /// What is changed.
  package enum Change: Sendable, Hashable {
    case decision(Decision)
    /// Metres.
    case radius(Double)
  }

  package var change: Change
  /// The event that the changed fence reports.
  package var event: Event
}

extension Explainer {
  /// The rules with which a fence would have reported an event of a kind in a time span: other decisions,
  /// and for a circle the nearest radius.
  ///
  /// Each was played.
  func alternatives(
    _ kind: LogEntry.Kind, of fence: Int, from: Timestamp, until: Timestamp
  ) -> [Alternative] {
    let rule = rules.fences[fence]
    func result(_ change: Alternative.Change) -> Alternative? {
      play(change, of: fence, until: until).first {
        $0.isWithin(from, until) && $0.statement.fence == rule.id && entry($0).kind == kind
      }.map { Alternative(change: change, event: $0) }
    }
    var found = Decision.allCases.filter { $0 != rule.decision }.compactMap {
      result(.decision($0))
    }
    if case .circle(let circle) = rule.area,
      let radius = Self.radii(of: circle.radius, isLarger: kind == .enter).lazy
        .compactMap({ result(.radius($0)) }).first
    {
      found.append(radius)
    }
    return found
  }

  /// The events of the fences when one of them is changed, up to about a time.
  ///
  /// - Returns: none when the changed fence is invalid.
  private func play(
    _ change: Alternative.Change, of fence: Int, until: Timestamp
  ) -> [Event] {
    var changed = rules.fences[fence]
    switch (change, changed.area) {
    case (.decision(let decision), _): changed.decision = decision
    case (.radius(let radius), .circle(let circle)):
      changed.area = .circle(Circle(center: circle.center, radius: radius))
    case (.radius, _): return []
    }
    var fences = [changed]
    // The other fences have no effect but on the last digits of a time.
    if rules.fences.count <= Self.mostFences {
      fences = Array(rules.fences)
      fences[fence] = changed
    }
    guard let set = try? FenceSet(fences) else { return [] }
    var rules = rules
    (rules.fences, rules.visits, rules.significantChanges) = (set, nil, nil)
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    for fix in fixes {
      tracker.ingest(fix, into: &events)
      if let last = tracker.lastTime, last > until.advanced(bySeconds: Self.patience) { break }
    }
    return events
  }

  private static let mostFences = 1_000
  /// For how long after the time span a decision is waited for, seconds.
  private static let patience = 3_600.0

  /// Round radii to try, nearest first.
  private static func radii(of radius: Double, isLarger: Bool) -> [Double] {
    var unit = 1.0
    while unit * 100 < radius { unit *= 10 }
    let step = [1, 2, 5, 10].map { $0 * unit }.last { $0 * 10 <= radius } ?? unit
    let first = isLarger ? (radius / step).rounded(.down) + 1 : (radius / step).rounded(.up) - 1
    return (0..<steps).map { (first + (isLarger ? 1 : -1) * Double($0)) * step }
      .filter { $0 > 0 }
  }

  private static let steps = 30
}
