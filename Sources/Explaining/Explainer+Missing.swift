package import EventLog
internal import Geodesy
internal import Text
package import Tracking

extension Explainer {
  /// Explains why a fence reported no event of a kind from one time to another, both included.
  ///
  /// If it did report one, that is explained.
  /// - Parameters:
  ///   - fence: The index of the fence.
  ///   - kind: Enter, exit or dwell; nil for the one of enter and exit that was possible.
  package func explainMissing(
    _ kind: LogEntry.Kind?, of fence: Int, from: Timestamp, until: Timestamp
  ) -> Explanation {
    let id = rules.fences.id(at: fence)
    let wanted: Set<LogEntry.Kind> = kind.map { [$0] } ?? [.enter, .exit]
    let reported = occurrences.first { occurrence in
      occurrence.event.isWithin(from, until) && occurrence.event.statement.fence == id
        && wanted.contains(entry(occurrence.event).kind)
    }
    if let reported, let explanation = explain(reported) { return explanation }
    let range = range(from: from, until: until, around: Self.before)
    let judged = judgements(range)
    let inside = judged.filter { $0.fix.time.map { from <= $0 && $0 <= until } ?? false }
    let side = (inside.first ?? judged.last)?.side(of: fence)
    let expected = kind ?? (side == .inside ? .exit : .enter)
    var explanation = Explanation(
      device: device, fence: rules.fences[fence], kind: expected,
      reason: .missing(
        shortfall(expected, fence, inside, around: judged, from: from, until: until)),
      rows: rows(judged, fence: fence))
    if expected != .dwell, !inside.isEmpty {
      explanation.alternatives = alternatives(expected, of: fence, from: from, until: until)
    }
    return explanation
  }

  /// Explains an event of a kind that a fence reported, or did not report, about a time.
  ///
  /// The nearest event within ten minutes is explained; if there is none, why it is missing. For a test
  /// that failed, the ``Explanation/lines`` of the result are three at most.
  package func explain(
    _ kind: LogEntry.Kind, of fence: Int, near time: Timestamp
  ) -> Explanation {
    let id = rules.fences.id(at: fence)
    let (from, until) = Self.window(around: time)
    let nearest = occurrences.filter {
      $0.event.statement.fence == id && entry($0.event).kind == kind
        && $0.event.isWithin(from, until)
    }.min {
      abs($0.event.time.seconds(since: time)) < abs($1.event.time.seconds(since: time))
    }
    return nearest.flatMap(explain) ?? explainMissing(kind, of: fence, from: from, until: until)
  }

  /// The time about a moment in which an event of that moment is looked for.
  package static func window(around time: Timestamp) -> (from: Timestamp, until: Timestamp) {
    (time.advanced(bySeconds: -600), time.advanced(bySeconds: 600))
  }

  /// Says that a time is not one of a track that has fixes in a span.
  package static func outside(_ span: ClosedRange<Timestamp>) -> String {
    "the time is outside of the track, which lasts from \(Readable.time(span.lowerBound)) to "
      + Readable.time(span.upperBound)
  }

  // MARK: What was not met

  private func shortfall(
    _ kind: LogEntry.Kind, _ fence: Int, _ judged: [Judgement], around: [Judgement],
    from: Timestamp, until: Timestamp
  ) -> Shortfall {
    guard !judged.isEmpty else {
      let times = around.compactMap(\.fix.time)
      return .noFix(
        before: times.filter { $0 < from }.max(), after: times.filter { $0 > until }.min())
    }
    let rule = rules.fences[fence]
    guard rule.notifications.contains(kind.notification) else { return .notWanted }
    let used = judged.compactMap { judgement in
      judgement.view(of: fence).map { (judgement: judgement, view: $0) }
    }
    guard !used.isEmpty else { return .noFixUsed(dropped: judged.count) }
    if kind == .dwell { return briefStay(fence, rule, from: from, until: until) }
    let side: Containment = kind == .enter ? .inside : .outside
    let seen = used.drop { $0.view.side == .unknown }
    guard seen.isEmpty || seen.contains(where: { $0.view.side != side }) else {
      return .already(side, since: seen.first?.judgement.insideSince(fence))
    }
    let candidates = used.filter { $0.view.side != side }
    let known = candidates.filter { $0.view.side != .unknown }
    let best = nearest(known.isEmpty ? candidates : known, kind)
    let at = best.judgement.fix.time ?? from
    guard let needed = best.view.needed else {
      return plainShortfall(known.map(\.view), best.view, at, kind, rule.decision)
    }
    let probability = kind == .enter ? best.view.inside : 1 - best.view.inside
    if best.view.side == .unknown {
      return .unknownSide(probability: probability, needed: needed, at: at)
    }
    if let since = best.view.since {
      return .brief(
        probability: probability, seconds: seconds(since, known.map { ($0.judgement, $0.view) }),
        needed: best.view.hold, since: since)
    }
    guard probability < Self.near else {
      return .improbable(probability: probability, needed: needed, at: at)
    }
    let stray = known.first {
      (rule.area.signedDistance(to: $0.judgement.fix.coordinate) <= 0) == (kind == .enter)
    }
    if let stray {
      return .notBelieved(
        distance: abs(stray.view.distance), at: stray.judgement.fix.time ?? from)
    }
    return .far(distance: abs(best.view.distance), at: at)
  }

  /// A smaller probability is named by the distance.
  private static let near = 0.0005

  /// The fix with the most evidence, or the nearest one: first those with enough.
  private func nearest(
    _ candidates: [(judgement: Judgement, view: FenceView)], _ kind: LogEntry.Kind
  ) -> (judgement: Judgement, view: FenceView) {
    func rank(_ view: FenceView) -> (Int, Double, Double) {
      let inside = kind == .enter ? view.inside : 1 - view.inside
      let nearness = kind == .enter ? -view.distance : view.distance
      let share = view.needed == nil || inside < Self.near ? 0 : inside
      return (view.since == nil ? 0 : 1, share, nearness)
    }
    return candidates.dropFirst().reduce(candidates[0]) { best, next in
      rank(next.view) > rank(best.view) ? next : best
    }
  }

  /// For how long the evidence was enough from a time on.
  private func seconds(_ since: Timestamp, _ known: [(Judgement, FenceView)]) -> Double {
    known.filter { $0.1.since == since }.compactMap { $0.0.fix.time?.seconds(since: since) }.max()
      ?? 0
  }

  private func plainShortfall(
    _ known: [FenceView], _ best: FenceView, _ at: Timestamp, _ kind: LogEntry.Kind,
    _ decision: Decision
  ) -> Shortfall {
    if decision == .apple, let since = best.since {
      return .cushion(
        seconds: at.seconds(since: since), needed: Decision.cushionTime, since: since)
    }
    return .noFixBeyond(distance: best.distance, at: at)
  }

  private func briefStay(
    _ fence: Int, _ rule: Fence, from: Timestamp, until: Timestamp
  ) -> Shortfall {
    let judged = judgements(range(from: from, until: until, around: 1))
    let stays = judged.compactMap { judgement in
      judgement.insideSince(fence).flatMap { judgement.fix.time?.seconds(since: $0) }
    }
    return .briefStay(seconds: stays.max(), needed: Double(rule.dwell ?? 0) / 1e9)
  }
}

extension LogEntry.Kind {
  /// What a fence must report for events of this kind.
  fileprivate var notification: Fence.Notifications {
    switch self {
    case .exit: .exit
    case .dwell: .dwell
    default: .enter
    }
  }
}

extension Event {
  /// Whether it happened, or was decided, in a time span.
  func isWithin(_ from: Timestamp, _ until: Timestamp) -> Bool {
    (from <= time && time <= until) || (from <= decided && decided <= until)
  }
}
