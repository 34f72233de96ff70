/// Which events of one fence are which of its true crossings.
struct FenceMatch {
  /// An event that is right.
  struct Hit {
    let crossing: Int
    let event: Int
    /// Seconds after the true crossing, negative before it.
    let offset: Double
  }

  let required: [Truth.Crossing]
  /// In order of time.
  let events: [EventList.Crossing]
  private(set) var hits: [Hit] = []
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
      if Self.absorb(event, in: &optional) {
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

  /// Seconds between the fixes around the crossing of a hit.
  func gap(of hit: Hit) -> Double {
    let crossing = required[hit.crossing]
    return (crossing.fixAfter ?? crossing.last) - (crossing.fixBefore ?? crossing.first)
  }

  /// What the events claimed that are right or wrong.
  var claims: [Claim] {
    let right = hits.compactMap { hit in
      events[hit.event].confidence.map { Claim(confidence: $0, isRight: true) }
    }
    return right
      + falses.compactMap { $0.confidence.map { Claim(confidence: $0, isRight: false) } }
  }

  private static func pair(
    _ required: [Truth.Crossing], _ events: [EventList.Crossing]
  ) -> [Hit] {
    var candidates: [Hit] = []
    for (crossing, truth) in required.enumerated() {
      let window = truth.window
      for (event, told) in events.enumerated()
      where told.kind == truth.kind && window.contains(told.time) {
        let offset = truth.offset(of: told.time)
        candidates.append(Hit(crossing: crossing, event: event, offset: offset))
      }
    }
    candidates.sort { a, b in
      (abs(a.offset), a.crossing, a.event) < (abs(b.offset), b.crossing, b.event)
    }
    var (crossings, told): (Set<Int>, Set<Int>) = ([], [])
    return candidates.filter { hit in
      guard !crossings.contains(hit.crossing), !told.contains(hit.event) else { return false }
      crossings.insert(hit.crossing)
      told.insert(hit.event)
      return true
    }
  }

  /// Takes the nearest crossing that may, and need not, be told.
  private static func absorb(
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
  /// When an event of this crossing may be.
  var window: ClosedRange<Double> {
    let start = min(first, fixBefore ?? first) - FenceScorer.earliest
    return start...max(start, max(last, fixAfter ?? last) + FenceScorer.latest)
  }

  /// Seconds after the crossing, negative before it, 0 within.
  func offset(of time: Double) -> Double {
    time > last ? time - last : time < first ? time - first : 0
  }
}
