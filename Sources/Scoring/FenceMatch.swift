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
    var optional = OptionalCrossings(truth.filter { !$0.isRequired })
    for (index, event) in events.enumerated() where !matched.contains(index) {
      if optional.takeNearest(to: event) {
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
    let byKind = Dictionary(grouping: events.indices) { events[$0].kind }
    var candidates: [TruePositive] = []
    for (crossing, truth) in required.enumerated() {
      let (window, ofKind) = (truth.window, byKind[truth.kind] ?? [])
      var next = ofKind.firstIndex(notBefore: window.lowerBound) { events[$0].time }
      while next < ofKind.count, events[ofKind[next]].time <= window.upperBound {
        let offset = truth.offset(of: events[ofKind[next]].time)
        candidates.append(TruePositive(crossing: crossing, event: ofKind[next], offset: offset))
        next += 1
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
}

/// The crossings that an event may explain, each of them one.
private struct OptionalCrossings {
  private let crossings: [Truth.Crossing]
  private let index: PeriodIndex
  private var isTaken: [Bool]

  init(_ crossings: [Truth.Crossing]) {
    self.crossings = crossings
    isTaken = Array(repeating: false, count: crossings.count)
    // A second more than the reach, for rounding.
    let reach = FenceScorer.optionalReach + 1
    index = PeriodIndex(
      crossings.map {
        Period(start: min($0.first, $0.last) - reach, end: max($0.first, $0.last) + reach)
      })
  }

  /// Takes the nearest crossing that can explain the event; false when there is none.
  mutating func takeNearest(to event: EventList.Crossing) -> Bool {
    func distance(_ crossing: Int) -> Double { abs(crossings[crossing].offset(of: event.time)) }
    let near = index.overlapping(Period(start: event.time, end: event.time)).filter {
      !isTaken[$0] && crossings[$0].kind == event.kind
        && distance($0) <= FenceScorer.optionalReach
    }
    guard let best = near.min(by: { distance($0) < distance($1) }) else { return false }
    isTaken[best] = true
    return true
  }
}

extension Array {
  /// The first index of a value that is not before a time, of values in the order of time.
  func firstIndex(notBefore time: Double, time timeOf: (Element) -> Double) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if timeOf(self[middle]) < time { low = middle + 1 } else { high = middle }
    }
    return low
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
