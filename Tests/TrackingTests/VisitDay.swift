import Geodesy
import TestSupport

import Tracking

/// What a device does on a line: where it is, metres east, at some seconds; straight in between.
struct Day {
  var corners: [(time: Double, east: Double)]

  init(_ corners: (Double, Double)...) {
    self.corners = corners.map { (time: $0.0, east: $0.1) }
  }

  var end: Double { corners.last?.time ?? 0 }

  func east(_ time: Double) -> Double {
    guard let next = corners.firstIndex(where: { $0.time >= time }) else {
      return corners.last?.east ?? 0
    }
    guard next > 0 else { return corners[next].east }
    let (a, b) = (corners[next - 1], corners[next])
    return a.east + (b.east - a.east) * (time - a.time) / (b.time - a.time)
  }

  /// The fixes, without those in a gap.
  func fixes(
    every step: Double, sigma: Double = 5, seed: UInt64 = 1, gap: Range<Double> = 0..<0
  ) -> [Fix] {
    var random = SeededGenerator(seed: seed)
    var noise = Noise(sigma: sigma)
    return stride(from: 0.0, through: end, by: step).compactMap { time in
      if gap.contains(time) { return nil }
      let error = noise.next(time, &random)
      return Ground().fix(time, east(time) + error.x, error.y, accuracy: sigma * 1.51)
    }
  }

  /// A drive of 3 km at 10 m/s, a stay at 0 from 300 s on, and the same way on.
  static func stay(_ length: Double) -> Day {
    Day((0, -3_000), (300, 0), (300 + length, 0), (600 + length, 3_000), (1_200 + length, 9_000))
  }
}

/// One line on a visit.
struct VisitReport {
  var visit: Visit
  var event: Event

  static func all(in events: [Event]) -> [VisitReport] {
    events.compactMap { event in
      guard case .visit(let visit) = event.statement else { return nil }
      return VisitReport(visit: visit, event: event)
    }
  }

  static func arrivals(in events: [Event]) -> [VisitReport] {
    all(in: events).filter { $0.visit.departure == nil }
  }

  static func departures(in events: [Event]) -> [VisitReport] {
    all(in: events).filter { $0.visit.departure != nil }
  }

  var arrival: Double { visit.arrival.seconds(since: Ground.time(0)) }
  var departure: Double? { visit.departure?.seconds(since: Ground.time(0)) }
  var decided: Double { event.decided.seconds(since: Ground.time(0)) }
  func distance(to east: Double) -> Double {
    Ground().place(east).distance(to: event.coordinate)
  }
}

/// Engines that are asked for visits alone.
enum VisitRun {
  static let seeds = 1...8 as ClosedRange<UInt64>

  static func tracker(_ wanted: VisitRules? = VisitRules()) -> Tracker {
    var rules = Rules()
    rules.visits = wanted
    return Tracker(rules: rules)
  }

  static func events(_ fixes: [Fix], _ wanted: VisitRules? = VisitRules()) -> [Event] {
    var tracker = tracker(wanted)
    var events: [Event] = []
    for fix in fixes { tracker.ingest(fix, into: &events) }
    return events
  }

  /// `v` for an arrival, `w` for a departure.
  static func letters(_ events: [Event]) -> String { events.map(\.letter).joined() }
}
