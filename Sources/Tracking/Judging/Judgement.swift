/// How an engine judged one fix, with its states before and after: for explanations.
package struct Judgement: Sendable {
  /// What became of the fix.
  package enum Verdict: Sendable, Hashable {
    /// It was used.
    case accepted
    /// It was used, although it was late: events that follow come with the next fix.
    case late
    /// It waited and was used now, as the next fix confirmed it.
    case confirmed
    /// It waits for the next fix.
    case waits(Gate.HoldReason)
    /// It was dropped.
    case dropped(Defect)
  }

  /// The fix, without its impossible fields.
  package let fix: Fix
  /// What became of it.
  package let verdict: Verdict
  /// The events that came due before it, in silence or as the track broke off.
  package internal(set) var silence: [Event] = []
  /// The events that followed from it.
  package internal(set) var events: [Event] = []
  /// The fix that waited until this one showed that it was wrong.
  package internal(set) var rejected: Defect?
  /// When the device was last heard of before; nil before its first fix.
  package let heard: Timestamp?
  /// The engine before time advanced to the fix.
  let start: Tracker
  /// The engine when it judged the fix.
  let before: Tracker
  /// What the monitors were given; nil when the fix was not used at once.
  let update: FilterUpdate?

  /// The rules under which it was judged.
  package var rules: Rules { before.rules }

  /// The estimate at the fix; nil when the fix was not used at once.
  package var estimate: Estimate? { update?.estimate }

  /// Probability that the device rests, walks, rides; nil when the fix was not used at once.
  package var modes: (rest: Double, walk: Double, ride: Double)? { update?.positions.modes }

  /// The position that the engine took as the one before; nil after a break and for the first fix.
  package var previous: Fix? { update?.previous }
}

extension Tracker {
  /// Processes one fix as ``ingest(_:into:)`` does, and gives how it was judged.
  ///
  /// Usually that is one judgement. A fix that confirms one that waited gives two, that of the other
  /// first; together they have the events of ``ingest(_:into:)``.
  package mutating func judge(_ fix: Fix) -> [Judgement] {
    let start = self
    var events: [Event] = []
    ingest(fix, into: &events)
    var (copy, cleaned) = (start, fix)
    let outcome = copy.gate.validate(&cleaned, limits: start.rules.gate)
    let (last, doubt) = (start.gate.last, start.gate.waiting?.doubt)
    let heard = doubt ?? last?.time
    func unused(_ verdict: Judgement.Verdict) -> Judgement {
      var judgement = Judgement(
        fix: cleaned, verdict: verdict, heard: heard, start: start, before: self, update: nil)
      judgement.silence = events
      return judgement
    }
    var judgements: [Judgement]
    switch (outcome, cleaned.time) {
    case (.dropped(let defect), _): judgements = [unused(.dropped(defect))]
    case (.waits(let reason), _): judgements = [unused(.waits(reason))]
    case (.late, _): judgements = [unused(lastDefect.map { .dropped($0) } ?? .late)]
    case (_, nil): judgements = []
    case (.accepted, .some(let time)):
      judgements = [copy.judgeStep(to: cleaned, after: last, doubt: doubt, decided: time)]
    case (.acceptedAfterGap(let waiting), .some(let time)):
      judgements = [
        copy.judgeStep(to: waiting, .confirmed, after: last, doubt: doubt, decided: time),
        copy.judgeStep(to: cleaned, after: waiting, decided: time, believed: time),
      ]
    case (.acceptedAfterBreak(let waiting, let hasNewClock), .some(let time)):
      var broken: [Event] = []
      if let last {
        copy.breakOff(
          last, waiting.time ?? time, hasNewClock, doubt: doubt, decided: time, &broken)
      }
      judgements = [
        copy.judgeStep(
          to: waiting, .confirmed, after: nil, decided: time, heard: heard, from: start),
        copy.judgeStep(to: cleaned, after: waiting, decided: time, believed: time),
      ]
      judgements[0].silence = broken + judgements[0].silence
    case (.acceptedOnEarlierClock, .some(let time)):
      var broken: [Event] = []
      if let last { copy.breakOff(last, time, true, doubt: doubt, decided: time, &broken) }
      judgements = [
        copy.judgeStep(to: cleaned, after: nil, decided: time, heard: heard, from: start)
      ]
      judgements[0].silence = broken + judgements[0].silence
    }
    if start.gate.waiting != nil, judgements.count == 1 {
      judgements[0].rejected = rejection(since: start, judgements[0].verdict)
    }
    return judgements
  }

  /// The defect of a fix that no longer waits, as it was found to be wrong.
  private func rejection(since start: Tracker, _ verdict: Judgement.Verdict) -> Defect? {
    [Defect.teleport, .clockJump].first {
      verdict != .dropped($0) && counts[$0] > start.counts[$0]
    }
  }

  /// Takes an accepted fix as ``ingest(_:into:)`` does, step by step.
  ///
  /// - Parameters:
  ///   - heard: When the device was last heard of, if that was before a break.
  ///   - from: The engine before, if that is not this one.
  private mutating func judgeStep(
    to fix: Fix, _ verdict: Judgement.Verdict = .accepted, after previous: Fix?,
    doubt: Timestamp? = nil, decided: Timestamp, believed: Timestamp? = nil,
    heard: Timestamp? = nil, from start: Tracker? = nil
  ) -> Judgement {
    let start = start ?? self
    let time = fix.time ?? decided
    var (before, silence) = (self, [Event]())
    before.advance(to: fix, at: time, after: previous, doubt: doubt, believed: believed, &silence)
    var update: FilterUpdate?
    if let found = before.filter(fix, at: time) {
      var copy = before
      update = copy.update(fix, at: time, after: previous, decided: decided, found)
    }
    var events: [Event] = []
    step(
      to: fix, at: time, after: previous, doubt: doubt, decided: decided, believed: believed,
      &events)
    for event in silence {
      if let place = events.firstIndex(of: event) { events.remove(at: place) }
    }
    var judgement = Judgement(
      fix: fix, verdict: verdict, heard: heard ?? doubt ?? previous?.time, start: start,
      before: before, update: update)
    (judgement.silence, judgement.events) = (silence, events)
    return judgement
  }
}
