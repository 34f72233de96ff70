import TestSupport
import Foundation
import Geodesy
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

/// What was said of a silent device, and what its next fixes make of it.
@Suite("Silence, breaks and what was said in them")
struct SilenceTests {
  private func drive(
    _ rules: Rules, _ fixes: [Fix], wakeAfter wakes: Set<Int> = []
  ) -> [Event] {
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    for (index, fix) in fixes.enumerated() {
      tracker.ingest(fix, into: &events)
      if wakes.contains(index), let due = tracker.nextDeadline {
        tracker.advance(to: due, into: &events)
      }
    }
    return events
  }

  private func expectOrder(_ events: [Event]) {
    for event in events { #expect(event.time <= event.decided, "\(event)") }
    for (a, b) in zip(events, events.dropFirst()) {
      #expect(a.decided <= b.decided, "\(a) \(b)")
      #expect(a.decided < b.decided || a.time <= b.time, "\(a) \(b)")
    }
  }

  private func inside(_ event: Event) -> Double? {
    switch event.statement {
    case .exit(_, _, let inside), .dwell(_, let inside): inside
    case .enter, .state, .visit, .significantChange: nil
    }
  }

  @Test(
    "an exit after a new date is not said of the future, and its stay holds its dwell",
    arguments: [(620_000_000, []), (-200_000, [1])] as [(Double, Set<Int>)])
  func newDate(shift: Double, wakes: Set<Int>) throws {
    let rules = try StripChart(dwell: 600).rules()
    let fixes = [(0.0, 0.0), (0, 30), (0, 31), (0, 32), (300, 33)].enumerated().map { index, at in
      var fix = StripChart.fix(at.0, ticks: at.1)
      if index > 1 { fix.time = fix.time?.advanced(bySeconds: shift) }
      return fix
    }
    let events = drive(rules, fixes, wakeAfter: wakes)
    #expect(events.map(\.letter) == ["s", "d", "x"])
    for event in events { #expect(event.time <= event.decided, "\(event)") }
    let exit = try #require(events.last)
    #expect(abs(exit.time.seconds(since: StripChart.time(32.333).advanced(bySeconds: shift))) < 1)
    // The dwell was said, so that the stay was at least as long.
    #expect(try #require(inside(exit)) >= 600)
  }

  @Test("a way out and in again before a dwell that was said is not said")
  func outAndInBeforeDwell() throws {
    // A horseshoe: the straight way from one arm to the other leads out and in again.
    let corners = [
      (0.0, 0.0), (0, 0.03), (0.03, 0.03), (0.03, 0.02), (0.01, 0.02), (0.01, 0.01), (0.03, 0.01),
      (0.03, 0),
    ].map { Coordinate(latitude: $0.0, longitude: $0.1) }
    var fence = Fence(id: "u", area: .polygons([try Polygon(exterior: corners, holes: [])]))
    (fence.dwell, fence.notifications) = (100_000_000_000, [.enter, .exit, .dwell])
    fence.decision = .naive
    let rules = Rules(fences: try FenceSet([fence]))
    func fix(_ seconds: Double, _ longitude: Double) -> Fix {
      Fix(
        time: StripChart.start.advanced(bySeconds: seconds),
        coordinate: Coordinate(latitude: 0.02, longitude: longitude))
    }
    // Out at a quarter and in at three quarters of 119 s; the dwell would be full at 100 s.
    let slow = drive(rules, [fix(0, 0.005), fix(119, 0.025)])
    #expect(slow.map(\.letter) == ["s", "x", "e"])
    // After the dwell was said in silence: both crossings lie before it.
    let early = drive(rules, [fix(0, 0.0099), fix(121, 0.0299)])
    #expect(early.map(\.letter) == ["s", "d"])
    expectOrder(early)
    // Only the way out lies before it.
    let half = drive(rules, [fix(0, 0.005), fix(200, 0.025)])
    #expect(half.map(\.letter) == ["s", "d", "x", "e"])
    expectOrder(half)
  }

  @Test("nothing is said to have been decided before a fix that was believed later")
  func decidedAfterBelief() throws {
    let rules = try StripChart(dwell: 30, patience: 60).rules()
    let day = 90_000.0
    let fixes = [
      StripChart.fix(-150, ticks: 0), StripChart.fix(0, ticks: day),
      StripChart.fix(0, ticks: day + 20),
    ]
    let events = drive(rules, fixes)
    #expect(events.map(\.letter) == ["n", "e", "d"])
    expectOrder(events)
  }

  @Test("time passes with a fix whose place is doubtful")
  func doubtfulPlace() throws {
    #expect(try StripChart(dwell: 30, patience: 60).draw("oc......T") == "ne------d")
  }

  @Test("a stay that ends in a break was long enough for its dwell")
  func dwellBeforeBreak() throws {
    let rules = try StripChart(dwell: 600).rules()
    let fixes = [(0.0, 0.0), (0, 54), (500_000, 63), (500_000, 64)].map {
      StripChart.fix($0.0, ticks: $0.1)
    }
    let events = drive(rules, fixes)
    #expect(events.map(\.letter) == ["s", "d", "x"])
    expectOrder(events)
    #expect(StripChart.center.distance(to: events[1].coordinate) < 1, "where it was last seen")
    #expect(inside(events[2]) == 630)
  }
}

/// After a day of silence nobody knows.
@Suite("What is forgotten in silence")
struct ForgettingTests {
  static let decisions = Decision.allCases
  private let ground = Ground()
  private let day = 86_400.0

  private func rules(_ decision: Decision, dwell: Double? = nil) throws -> Rules {
    var fence = ground.circle("a", radius: 200, decision: decision)
    fence.notifications = [.enter, .exit, .dwell]
    fence.dwell = dwell.map { Int64($0 * 1e9) }
    var rules = Rules(fences: try FenceSet([fence]))
    rules.memory = day
    return rules
  }

  /// The events of a device with fixes at these times and places, woken at every deadline or never.
  private func run(
    _ rules: Rules, _ fixes: [(seconds: Double, east: Double)], wakes: Bool
  ) -> [Event] {
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    for fix in fixes {
      let fix = ground.fix(fix.seconds, fix.east)
      while wakes, let due = tracker.nextDeadline, let time = fix.time, due < time {
        tracker.advance(to: due, into: &events)
      }
      tracker.ingest(fix, into: &events)
    }
    return events
  }

  /// Some fixes at a place, so that every rule knows where the device is.
  private func stay(_ from: Double, _ east: Double) -> [(seconds: Double, east: Double)] {
    (0..<40).map { (from + Double($0) * 5, east + Double($0 % 3)) }
  }

  @Test(
    "a device inside is not known to be there after a day, with or without wake-ups",
    arguments: decisions, [0.9, 1.5, 10])
  func unknown(decision: Decision, days: Double) throws {
    let rules = try rules(decision)
    let fixes = stay(0, 0) + stay(days * day, 0)
    let events = run(rules, fixes, wakes: false)
    #expect(events == run(rules, fixes, wakes: true))
    let letters = events.map(\.letter).joined()
    #expect(letters == (days < 1 ? "s" : "sus"))
    guard days > 1 else { return }
    let forgotten = try #require(events.dropFirst().first)
    #expect(forgotten.time == Ground.time(195 + day))
    #expect(forgotten.decided == forgotten.time)
  }

  @Test("it is not forgotten that a device was outside", arguments: decisions)
  func outside(decision: Decision) throws {
    let fixes = stay(0, 5_000) + stay(3 * day, 5_000)
    let events = run(try rules(decision), fixes, wakes: true)
    #expect(events.map(\.letter) == ["n"])
  }

  @Test(
    "a stay that was forgotten ends with an exit when the device is next seen outside",
    arguments: decisions)
  func backOutside(decision: Decision) throws {
    let fixes = stay(0, 0) + stay(2 * day, 5_000)
    let events = run(try rules(decision), fixes, wakes: false)
    #expect(events == run(try rules(decision), fixes, wakes: true))
    #expect(events.map(\.letter).joined() == "sux")
  }

  @Test("where no exit is asked for, the side after a forgotten stay is reported as a state")
  func backOutsideWithoutExit() throws {
    var rules = try rules(.balanced)
    var fence = try #require(Array(rules.fences).first)
    fence.notifications = [.enter]
    rules.fences = try FenceSet([fence])
    let events = run(rules, stay(0, 0) + stay(2 * day, 5_000), wakes: true)
    #expect(events.map(\.letter).joined() == "sun")
  }

  @Test("a visit that nobody saw has a confidence between 0 and 1", arguments: [0.0, 60, 300, 1e7])
  func confidence(length: Double) {
    for unseen in [0, length / 2, length, 1e9] {
      for accuracy in [0, 20, 1e6] {
        let confidence = VisitModel.confidence(
          length: length, unseen: unseen, accuracy: accuracy, VisitRules())
        #expect(0...VisitModel.surest ~= confidence, "\(unseen) s of \(length) s unseen")
      }
    }
    #expect(0...VisitModel.surest ~= VisitModel.silentConfidence(length: length))
  }

  @Test(
    "a dwell that was full while the stay was forgotten is reported when it goes on",
    arguments: decisions,
    [0.5, 0.999, 1.001, 1.5])
  func dwell(decision: Decision, days: Double) throws {
    let rules = try rules(decision, dwell: days * day)
    let fixes = stay(0, 0) + stay(2.5 * day, 0)
    let events = run(rules, fixes, wakes: false)
    #expect(events == run(rules, fixes, wakes: true))
    #expect(events.map(\.letter).joined() == (days < 1.002 ? "sdus" : "suds"))
  }

  @Test("memory without end, and none, do not trap", arguments: [0.0, 1e18, .infinity, -1])
  func oddMemory(memory: Double) throws {
    var rules = try rules(.balanced, dwell: 1e9)
    (rules.memory, rules.dwellPatience) = (memory, 1e18)
    let fixes = stay(0, 0) + stay(2 * day, 0)
    let events = run(rules, fixes, wakes: false)
    #expect(events == run(rules, fixes, wakes: true))
    #expect(events.first?.letter == "s")
    #expect(memory < 1 || events.count == 1)
  }
}

/// A checkpoint is a file: it may come from another version, or be damaged.
@Suite("Checkpoints")
struct CheckpointTests {
  private func tracker() throws -> Tracker {
    var tracker = Tracker(rules: try StripChart().rules())
    var events: [Event] = []
    tracker.ingest(StripChart.fix(-150, ticks: 0), into: &events)
    tracker.ingest(StripChart.fix(0, ticks: 1), into: &events)
    return tracker
  }

  @Test("a fix with an impossible dilution of precision can be written")
  func infiniteDilution() throws {
    var tracker = try tracker()
    var fix = StripChart.fix(10, ticks: 2)
    (fix.hdop, fix.vdop, fix.pdop) = (1e300, -.infinity, 2)
    #expect(fix.hdop == nil && fix.vdop == nil && fix.pdop == 2)
    var events: [Event] = []
    tracker.ingest(fix, into: &events)
    let restored = try JSONDecoder().decode(Tracker.self, from: JSONEncoder().encode(tracker))
    #expect(restored == tracker)
  }

  @Test(
    "one that speaks of fences that are not there is refused",
    arguments: [
      ("\"fence\":0", "\"fence\":7"), ("\"fence\":0", "\"fence\":-1"),
      ("\"list\":[]", "\"list\":[0]"), ("\"list\":[]", "\"list\":[3]"),
      ("\"areAll\":false", "\"areAll\":true"),
      ("\"defects\":[0,", "\"defects\":["),
    ])
  func damaged(found: String, replacement: String) throws {
    let text = String(decoding: try JSONEncoder().encode(try tracker()), as: UTF8.self)
    #expect(text.contains(found))
    let damaged = text.replacingOccurrences(of: found, with: replacement)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Tracker.self, from: Data(damaged.utf8))
    }
  }

  @Test("it holds no scratch storage, and one of before that held some is read")
  func scratch() throws {
    let tracker = try tracker()
    let text = String(decoding: try JSONEncoder().encode(tracker), as: UTF8.self)
    #expect(!text.contains("fractions"))
    let older = text.replacingOccurrences(of: #""watches":"#, with: #""fractions":[],"watches":"#)
    try #require(older != text)
    let isSame = try JSONDecoder().decode(Tracker.self, from: Data(older.utf8)) == tracker
    #expect(isSame)
  }
}
