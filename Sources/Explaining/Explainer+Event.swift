package import EventLog
internal import Geodesy
internal import Tracking

extension Explainer {
  /// Explains all reports of the event with an id: a visit has two; empty when no event has the id.
  package func explain(id: EventID) -> [Explanation] {
    occurrences.filter { entry($0.event).id == id }.compactMap(explain)
  }

  /// Explains one event; nil when it is not of this recording.
  package func explain(_ occurrence: Occurrence) -> Explanation? {
    let event = occurrence.event
    guard occurrences.contains(occurrence) else { return nil }
    let first = firstNumber(of: occurrence)
    let judged = judgements(first..<min(occurrence.number + 1 + Self.after, fixes.count))
    guard let cause = Cause.of(event, in: judged) else { return nil }
    let fence = event.statement.fence.flatMap(rules.fences.index)
    let rows = rows(judged, fence: fence) { judgement in
      judgement.estimate.flatMap { distance(of: event, at: $0, judgement) }
    }
    return Explanation(
      device: device, fence: fence.map { rules.fences[$0] }, kind: entry(event).kind,
      reason: .reported(event, cause), rows: rows, between: Self.between(event, judged))
  }

  /// How many fixes are shown before an event, and after its decision.
  static let before = 3
  static let after = 2
  /// The most fixes between an event and its decision that are shown.
  private static let most = 60

  /// The first fix to show: some before the event happened.
  private func firstNumber(of occurrence: Occurrence) -> Int {
    var number = occurrence.number
    let least = max(0, number - Self.most)
    while number > least, fixes[number].time.map({ $0 > occurrence.event.time }) ?? true {
      number -= 1
    }
    return max(least, number - Self.before + 1)
  }

  /// The rows of judgements.
  func rows(
    _ judgements: [Judgement], fence: Int?, distance: (Judgement) -> Double? = { _ in nil }
  ) -> [ExplanationRow] {
    var rows: [ExplanationRow] = []
    for judgement in judgements {
      if judgement.rejected != nil, let last = rows.lastIndex(where: \.isWaiting) {
        rows[last].wasWrong = true
      }
      var row = ExplanationRow(judgement, fence: fence)
      row.distance = row.view?.distance ?? distance(judgement)
      let events = judgement.silence + judgement.events
      row.kinds = events.filter { Self.concerns($0, fence, rules) }.map { entry($0).kind }
      rows.append(row)
    }
    return rows
  }

  private static func concerns(_ event: Event, _ fence: Int?, _ rules: Rules) -> Bool {
    event.statement.fence.flatMap(rules.fences.index) == fence
  }

  private func distance(
    of event: Event, at estimate: Estimate, _ judgement: Judgement
  ) -> Double? {
    switch event.statement {
    case .visit: event.coordinate.distance(to: estimate.coordinate)
    case .significantChange: judgement.movedDistance
    case .enter, .exit, .dwell, .state: nil
    }
  }

  /// The fixes that were used before and after an event that lies between two.
  private static func between(
    _ event: Event, _ judgements: [Judgement]
  ) -> ClosedRange<Timestamp>? {
    guard event.statement.crossing?.isInterpolated == true else { return nil }
    let times = judgements.filter { $0.estimate != nil }.compactMap(\.fix.time).sorted()
    guard let before = times.last(where: { $0 <= event.time }),
      let after = times.first(where: { $0 >= event.time })
    else { return nil }
    return before...after
  }
}

extension ExplanationRow {
  fileprivate var isWaiting: Bool {
    if case .waits = verdict { !wasWrong } else { false }
  }
}
