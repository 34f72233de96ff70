import EventLog
import Explaining
import Geodesy
import TestSupport
import Testing

@testable import Tracking

/// Compares the explanations of a recording with what the engine did.
struct Entailment {
  let explainer: Explainer
  let comment: String

  init(_ explainer: Explainer, _ comment: String) {
    (self.explainer, self.comment) = (explainer, comment)
  }

  // MARK: Events

  func checkEvents() {
    for occurrence in explainer.occurrences {
      let what = "\(comment): \(occurrence)"
      guard let explanation = explainer.explain(occurrence),
        case .reported(let event, let cause) = explanation.reason
      else {
        Issue.record("\(what) is not explained")
        continue
      }
      #expect(event == occurrence.event)
      let isEntailed = isEntailed(event, cause, explanation)
      #expect(isEntailed, "\(what), \(cause)")
      // The row of the decision shows it.
      let kinds = explanation.rows.filter { $0.kinds.contains(explanation.kind) }
      #expect(!kinds.isEmpty, "\(what)")
      #expect((1...3).contains(explanation.lines.count), "\(what)")
    }
  }

  private func isEntailed(_ event: Event, _ cause: Cause, _ explanation: Explanation) -> Bool {
    let (rules, fence) = (explainer.rules, explanation.fence)
    let required = fence?.decision.thresholds
    switch cause {
    case .evidence(let probability, let needed, let since, let hold):
      guard let required, probability >= needed, isBetween(needed, required) else { return false }
      return since.advanced(bySeconds: hold) <= event.decided
    case .passage(let probability, let needed): return probability >= needed
    case .silence(let since, let heard, let patience):
      return required != nil && since <= heard
        && event.decided >= heard.advanced(bySeconds: patience)
    case .initial(let probability, let needed):
      guard let needed else { return probability >= 0.5 }
      return probability >= needed || probability >= 0.5
    case .lost(let since): return since < event.time
    case .way(let from, let to): return (from ?? to) <= event.time && event.time <= to
    case .cushion(let since): return event.decided.seconds(since: since) >= 20
    case .dwell(let since, let needed):
      return event.time.seconds(since: since) >= needed - 1e-6 && event.decided >= event.time
    case .undecided(let probability, let needed):
      return probability < needed && probability > 1 - needed
    case .forgotten(let heard, let memory):
      return memory == rules.memory && event.time >= heard.advanced(bySeconds: memory)
    case .stay(let length, let needed, let evidence, let least):
      return length >= needed && evidence > least
    case .departure(let since): return since.map { $0 <= event.decided } ?? true
    case .retraction(let length, let needed): return length < needed
    case .distance(_, let needed, let probability, let half):
      let required = SignificantChangeRules.required
      return needed == rules.significantChanges?.distance && probability >= required.whole
        && half >= required.half
    }
  }

  private func isBetween(
    _ needed: Double, _ required: EvidenceThresholds
  ) -> Bool {
    needed >= required.moving - 1e-6 && needed <= required.resting + 1e-6
  }

  // MARK: Missing events

  /// Explains why each fence reported nothing in some time spans.
  func checkMissing(_ count: Int, _ random: inout SeededGenerator) {
    guard let span = explainer.span else { return }
    for fence in explainer.rules.fences.indices {
      for _ in 0..<count {
        let start = span.lowerBound.advanced(
          bySeconds: .random(
            in: 0...max(span.upperBound.seconds(since: span.lowerBound), 1), using: &random))
        check(fence, from: start, until: start.advanced(bySeconds: 900))
      }
    }
  }

  private func check(_ fence: Int, from: Timestamp, until: Timestamp) {
    let explanation = explainer.explainMissing(nil, of: fence, from: from, until: until)
    let id = explainer.rules.fences[fence].id
    let what = "\(comment), \(id) from \(from): \(explanation.sentence)"
    #expect((1...3).contains(explanation.lines.count), "\(what)")
    let all = explainer.occurrences.map(\.event)
    let reported = events(explanation.kind, fence, from, until, in: all)
    switch explanation.reason {
    case .reported(let event, _): #expect(reported.contains(event), "\(what)")
    case .missing(let shortfall):
      #expect(reported.isEmpty, "\(what)")
      let isEntailed = isEntailed(shortfall, explanation, from, until)
      #expect(isEntailed, "\(what)")
    }
    for alternative in explanation.alternatives {
      check(alternative, explanation.kind, fence, from, until, what)
    }
  }

  /// A named alternative gives the event when the whole config is played with it.
  private func check(
    _ alternative: Alternative, _ kind: LogEntry.Kind, _ fence: Int, _ from: Timestamp,
    _ until: Timestamp, _ what: String
  ) {
    var rules = explainer.rules
    var fences = Array(rules.fences)
    switch alternative.change {
    case .decision(let decision): fences[fence].decision = decision
    case .radius(let radius):
      guard case .circle(let circle) = fences[fence].area else {
        Issue.record("\(what): a radius of a polygon")
        return
      }
      fences[fence].area = .circle(Circle(center: circle.center, radius: radius))
    }
    guard let set = try? FenceSet(fences) else {
      Issue.record("\(what): invalid fences")
      return
    }
    rules.fences = set
    let all = Explainer(device: explainer.device, fixes: explainer.fixes, rules: rules)
    let found = events(kind, fence, from, until, in: all.occurrences.map(\.event))
    #expect(found.contains(alternative.event), "\(what), \(alternative)")
  }

  private func events(
    _ kind: LogEntry.Kind, _ fence: Int, _ from: Timestamp, _ until: Timestamp, in events: [Event]
  ) -> [Event] {
    let id = explainer.rules.fences[fence].id
    return events.filter {
      LogEntry(device: explainer.device, .event($0)).kind == kind && $0.statement.fence == id
        && ((from...until).contains($0.time) || (from...until).contains($0.decided))
    }
  }

  private func isEntailed(
    _ shortfall: Shortfall, _ explanation: Explanation, _ from: Timestamp, _ until: Timestamp
  ) -> Bool {
    let rows = explanation.rows.filter { $0.time.map { (from...until).contains($0) } ?? false }
    let views = rows.compactMap(\.view)
    let side: Containment = explanation.kind == .enter ? .inside : .outside
    let others = views.filter { $0.side != side && $0.side != .unknown }
    func probability(_ view: FenceView) -> Double {
      side == .inside ? view.inside : 1 - view.inside
    }
    // No fix of a fence whose side was known met its rule.
    guard !others.contains(where: { $0.isMet && explanation.wantsKind }) else { return false }
    switch shortfall {
    case .noFix(let before, let after):
      return rows.isEmpty && before.map { $0 < from } ?? true && after.map { $0 > until } ?? true
    case .noFixUsed(let dropped): return views.isEmpty && dropped >= rows.count && dropped > 0
    case .already(let known, _):
      let seen = views.drop { $0.side == .unknown }
      return known == side && !seen.isEmpty && seen.allSatisfy { $0.side == side }
    case .notWanted: return !explanation.wantsKind
    case .far(let distance, _):
      return others.allSatisfy { probability($0) < 0.0005 }
        && others.allSatisfy { abs($0.distance) >= distance - 0.01 }
    case .notBelieved(let distance, let at):
      return others.allSatisfy { probability($0) < 0.0005 }
        && others.contains { abs(abs($0.distance) - distance) < 0.01 }
        && explainer.fixes.contains { fix in
          let isInside = explanation.fence.map { $0.area.signedDistance(to: fix.coordinate) <= 0 }
          return fix.time == at && isInside == (side == .inside)
        }
    case .improbable(let best, let needed, let at):
      return best < needed && (from...until).contains(at)
        && others.allSatisfy { $0.since == nil && probability($0) <= best }
    case .brief(let best, let seconds, let needed, _):
      return best >= 0.5 && seconds < needed
    case .unknownSide(let best, let needed, _):
      return others.isEmpty && views.contains { $0.side == .unknown && $0.needed == needed }
        && views.allSatisfy { $0.side != .unknown || probability($0) <= best }
    case .cushion(let seconds, let needed, _): return seconds < needed
    case .noFixBeyond: return others.allSatisfy { !$0.isMet }
    case .briefStay: return explanation.kind == .dwell
    }
  }
}

extension Explanation {
  /// Whether the fence reports events of the expected kind.
  fileprivate var wantsKind: Bool {
    guard let fence else { return false }
    return fence.notifications.contains(kind == .enter ? .enter : kind == .exit ? .exit : .dwell)
  }
}
