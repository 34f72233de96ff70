internal import EventLog
package import Tracking

/// Why the engine reported an event: the rule that was met, with the numbers that met it.
package enum Cause: Sendable, Hashable {
  /// The device was on the other side with this probability; it has been enough since then. `hold` is
  /// the time for which it had to be, 0 when the device moved or its fixes are rare.
  case evidence(probability: Double, needed: Double, since: Timestamp, hold: Double)
  /// It was on the other side for a while and is back.
  case passage(probability: Double, needed: Double)
  /// Its probability was enough when it fell silent, and it stayed silent.
  case silence(since: Timestamp, heard: Timestamp, patience: Double)
  /// Which side it is on became clear, or was not clear for so long that the likelier one was taken.
  case initial(probability: Double, needed: Double?)
  /// It was inside before a silence, and after it outside.
  case lost(since: Timestamp)
  /// The way between two fixes leads over the edge; nil after a break in the track.
  case way(from: Timestamp?, to: Timestamp)
  /// Its fixes were past the cushion since then.
  case cushion(since: Timestamp)
  /// It has been inside for the dwell time.
  case dwell(since: Timestamp, needed: Double)
  /// It was first seen near the edge, and neither side was probable enough.
  case undecided(probability: Double, needed: Double)
  /// It was silent for so long that it may be anywhere.
  case forgotten(heard: Timestamp, memory: Double)
  /// Its fixes lay at one place for so long, with these log-odds of a stay.
  case stay(length: Double, needed: Double, evidence: Double, least: Double)
  /// It was away from the place of its stay since then; nil when that is not known.
  case departure(since: Timestamp?)
  /// Its stay turned out to be too short.
  case retraction(length: Double, needed: Double)
  /// It is so far from where it was when a change was last reported, and reached the needed distance and
  /// half of it with these probabilities.
  case distance(Double, needed: Double, probability: Double, half: Double)

  /// The cause of an event, from the judgements of the fix with which it was reported; nil when the event
  /// is none of theirs.
  static func of(_ event: Event, in judgements: [Judgement]) -> Cause? {
    for judgement in judgements {
      if judgement.silence.contains(event) { return inSilence(event, judgement) }
      if judgement.events.contains(event) { return atFix(event, judgement) }
    }
    return nil
  }

  /// What came due before a fix.
  private static func inSilence(_ event: Event, _ judgement: Judgement) -> Cause? {
    let rules = judgement.rules
    guard let heard = judgement.heard else { return nil }
    switch event.statement {
    case .enter(let fence, _), .exit(let fence, _, _):
      guard let since = rules.fences.index(ofID: fence).flatMap(judgement.sureSince) else {
        return nil
      }
      return .silence(since: since, heard: heard, patience: rules.dwellPatience)
    case .dwell: return dwell(event, rules)
    case .state: return .forgotten(heard: heard, memory: rules.memory)
    case .visit(let visit): return ofVisit(visit, event, judgement)
    case .significantChange: return nil
    }
  }

  /// What followed from a fix.
  private static func atFix(_ event: Event, _ judgement: Judgement) -> Cause? {
    let rules = judgement.rules
    switch event.statement {
    case .dwell: return dwell(event, rules)
    case .visit(let visit): return ofVisit(visit, event, judgement)
    case .significantChange:
      guard let needed = rules.significantChanges?.distance,
        let distance = judgement.movedDistance,
        let whole = judgement.probability(ofMoving: needed),
        let half = judgement.probability(ofMoving: needed / 2)
      else { return nil }
      return .distance(distance, needed: needed, probability: whole, half: half)
    case .enter(let fence, _), .exit(let fence, _, _), .state(let fence, _, _):
      guard let index = rules.fences.index(ofID: fence), let view = judgement.view(of: index) else {
        return nil
      }
      return ofFence(event, index, view, judgement)
    }
  }

  private static func ofFence(
    _ event: Event, _ index: Int, _ view: FenceView, _ judgement: Judgement
  ) -> Cause? {
    let time = judgement.fix.time ?? event.decided
    if view.side == .unknown {
      if case .state(_, .unknown, _) = event.statement {
        return view.needed.map { .undecided(probability: view.inside, needed: $0) }
      }
      if case .exit = event.statement { return judgement.lostSince(index).map { .lost(since: $0) } }
      let isInside = event.statement.containment != .outside
      return .initial(probability: isInside ? view.inside : 1 - view.inside, needed: view.needed)
    }
    switch judgement.rules.fences[index].decision {
    case .naive: return .way(from: judgement.previous?.time, to: time)
    case .apple: return view.isMet ? view.since.map { .cushion(since: $0) } : nil
    case .eager, .balanced, .strict:
      if let passage = view.passage {
        return .passage(probability: passage.probability, needed: passage.needed)
      }
      guard view.isMet, let needed = view.needed, let since = view.since else { return nil }
      return .evidence(
        probability: view.evidence, needed: needed, since: since, hold: view.hold)
    }
  }

  private static func dwell(_ event: Event, _ rules: Rules) -> Cause? {
    guard case .dwell(let fence, let inside) = event.statement,
      let index = rules.fences.index(ofID: fence), let dwell = rules.fences[index].dwell
    else { return nil }
    return .dwell(since: event.time.advanced(bySeconds: -inside), needed: Double(dwell) / 1e9)
  }

  private static func ofVisit(
    _ visit: Visit, _ event: Event, _ judgement: Judgement
  ) -> Cause? {
    guard let wanted = judgement.rules.visits else { return nil }
    guard let departure = visit.departure else {
      let required = VisitRules.required
      return judgement.candidate(wanted).map {
        .stay(
          length: $0.seconds, needed: required.share * wanted.minimumStay, evidence: $0.evidence,
          least: required.evidence)
      }
    }
    if visit.isRetracted {
      return .retraction(
        length: departure.seconds(since: visit.arrival), needed: wanted.minimumStay)
    }
    return .departure(since: judgement.awaySince)
  }
}
