/// Matches the events of one fence with its true crossings.
struct FenceMatch {
  /// An event that matches a true crossing.
  struct TruePositive {
    let crossing: Int
    let event: Int
    /// Seconds after the true crossing, negative before it.
    let offset: Double
  }

  let required: [Truth.Crossing]
  /// In order of time.
  let events: [EventList.Crossing]
  private(set) var hits: [TruePositive] = []
  private(set) var falses: [EventList.Crossing] = []
  private(set) var ignored = 0

  init(
    truth: [Truth.Crossing], events all: [EventList.Crossing], beginsInside: Bool,
    firstFix: Double
  ) {
    required = truth.filter(\.isRequired)
    events = all.sorted { a, b in
      (a.time, a.kind, a.decided ?? 0) < (b.time, b.kind, b.decided ?? 0)
    }
    hits = Self.pair(required, events)
    let matched = Set(hits.map(\.event))
    var optional = truth.filter { !$0.isRequired }
    for (index, event) in events.enumerated() where !matched.contains(index) {
      if Self.explain(event, in: &optional) {
        ignored += 1
      } else if index == 0, event.kind == "enter", beginsInside,
        event.time - firstFix <= FenceScorer.initialSeconds
      {
        ignored += 1
      } else {
        falses.append(event)
      }
    }
  }

  /// Seconds between the fixes around the crossing of a match.
  func gap(of hit: TruePositive) -> Double {
    let crossing = required[hit.crossing]
    return (crossing.fixAfter ?? crossing.last) - (crossing.fixBefore ?? crossing.first)
  }

  /// The confidences of the true and false positives.
  var predictions: [Prediction] {
    let right = hits.compactMap { hit in
      events[hit.event].confidence.map { Prediction(confidence: $0, isCorrect: true) }
    }
    return right
      + falses.compactMap { $0.confidence.map { Prediction(confidence: $0, isCorrect: false) } }
  }

  private static func pair(
    _ required: [Truth.Crossing], _ events: [EventList.Crossing]
  ) -> [TruePositive] {
    var candidates: [TruePositive] = []
    for (crossing, truth) in required.enumerated() {
      let window = truth.window
      for (event, reported) in events.enumerated()
      where reported.kind == truth.kind && window.contains(reported.time) {
        let offset = truth.offset(of: reported.time)
        candidates.append(TruePositive(crossing: crossing, event: event, offset: offset))
      }
    }
    candidates.sort { a, b in
      (abs(a.offset), a.crossing, a.event) < (abs(b.offset), b.crossing, b.event)
    }
    var (crossings, reported): (Set<Int>, Set<Int>) = ([], [])
    return candidates.filter { hit in
      guard !crossings.contains(hit.crossing), !reported.contains(hit.event) else { return false }
      crossings.insert(hit.crossing)
      reported.insert(hit.event)
      return true
    }
  }

  /// Removes the nearest optional crossing that can explain the event; false when there is none.
  private static func explain(
    _ event: EventList.Crossing, in optional: inout [Truth.Crossing]
  ) -> Bool {
    let near = optional.indices.filter { index in
      optional[index].kind == event.kind
        && abs(optional[index].offset(of: event.time)) <= FenceScorer.optionalReach
    }
    let best = near.min { a, b in
      abs(optional[a].offset(of: event.time)) < abs(optional[b].offset(of: event.time))
    }
    guard let best else { return false }
    optional.remove(at: best)
    return true
  }
}

extension Truth.Crossing {
  /// The times at which an event of this crossing is accepted.
  var window: ClosedRange<Double> {
    let start = min(first, fixBefore ?? first) - FenceScorer.earliest
    return start...max(start, max(last, fixAfter ?? last) + FenceScorer.latest)
  }

  /// Seconds after the crossing, negative before it, 0 within.
  func offset(of time: Double) -> Double {
    time > last ? time - last : time < first ? time - first : 0
  }
}
