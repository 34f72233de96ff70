import Foundation
import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

@Suite("Visits: breaks, changes and bad input")
struct VisitMonitorBreakTests {
  @Test("a new clock ends the visit", arguments: [-200_000.0, 6e8])
  func newClock(shift: Double) throws {
    var tracker = VisitRun.tracker()
    var events: [Event] = []
    for (index, var fix) in Day.stay(3_600).fixes(every: 10).enumerated() {
      if index >= 200 { fix.time = fix.time?.advanced(bySeconds: shift) }
      tracker.ingest(fix, into: &events)
    }
    #expect(tracker.counts.believedClockJumps == 1)
    #expect(VisitRun.letters(events) == "vwvw")
    let departures = VisitReport.departures(in: events)
    let old = try #require(departures.first)
    // The last fix of the old clock is at 1,990 s.
    let departure = try #require(old.departure)
    #expect(abs(departure - 1_990) <= 60, "\(departure) s")
    // There was no way between the clocks: the device was not seen to come.
    let new = try #require(departures.last)
    #expect(!new.visit.isArrivalSeen)
    #expect(abs(new.arrival - shift - 2_000) <= 60, "\(new.arrival - shift) s")
  }

  @Test("visits that are switched off and on again begin anew")
  func switched() throws {
    var tracker = VisitRun.tracker()
    var events: [Event] = []
    for (index, fix) in Day.stay(3_600).fixes(every: 10).enumerated() {
      if index == 150 { tracker.rules.visits = nil }
      if index == 200 { tracker.rules.visits = VisitRules() }
      let count = events.count
      tracker.ingest(fix, into: &events)
      if (150..<200).contains(index) { #expect(events.count == count) }
    }
    #expect(VisitRun.letters(events) == "vvw")
    let last = try #require(VisitReport.departures(in: events).first)
    #expect(!last.visit.isArrivalSeen && last.arrival == 2_000)
  }

  @Test("other fences change no visit")
  func otherFences() throws {
    let fixes = Day.stay(1_200).fixes(every: 10)
    var tracker = VisitRun.tracker()
    var events: [Event] = []
    for (index, fix) in fixes.enumerated() {
      if index == 100 {
        var fence = Ground().circle("far", radius: 50)
        fence.area = .circle(
          Circle(center: Coordinate(latitude: -40, longitude: 170), radius: 50))
        fence.initial = .none
        tracker.rules.fences = try FenceSet([fence])
      }
      tracker.ingest(fix, into: &events)
    }
    #expect(events == VisitRun.events(fixes))
  }

  @Test("a journey beyond the map ends a stay and finds the next", arguments: [10.0, 60])
  func farAway(step: Double) throws {
    let day = Day(
      (0, -3_000), (300, 0), (1_500, 0), (4_500, 60_000), (5_700, 60_000), (6_700, 80_000))
    for seed in VisitRun.seeds {
      let events = VisitRun.events(day.fixes(every: step, seed: seed))
      #expect(VisitRun.letters(events) == "vwvw", "seed \(seed)")
      let second = try #require(VisitReport.departures(in: events).last)
      #expect(abs(second.arrival - 4_500) <= 60, "seed \(seed): \(second.arrival) s")
      #expect(second.distance(to: 60_000) <= 100 && second.visit.isArrivalSeen, "seed \(seed)")
    }
  }

  @Test("a stay on the edge of the map is one", arguments: [1.0, 10, 60])
  func edgeOfMap(step: Double) throws {
    // The map reaches 20 km from the first fix.
    let day = Day((0, 0), (2_000, 20_000), (3_200, 20_000), (3_500, 23_000), (4_100, 29_000))
    for seed in VisitRun.seeds {
      let events = VisitRun.events(day.fixes(every: step, seed: seed))
      #expect(VisitRun.letters(events) == "vw", "seed \(seed)")
      let told = try #require(VisitReport.departures(in: events).first)
      #expect(abs(told.arrival - 2_000) <= 60, "seed \(seed): \(told.arrival) s")
    }
  }

  @Test("a flight without fixes ends a stay")
  func flight() throws {
    let day = Day((0, -3_000), (300, 0), (1_500, 0), (9_000, 900_000), (12_000, 900_000))
    for seed in VisitRun.seeds {
      let events = VisitRun.events(day.fixes(every: 10, seed: seed, gap: 1_500..<9_000))
      #expect(VisitRun.letters(events) == "vwv", "seed \(seed)")
      let departure = try #require(VisitReport.departures(in: events).first?.departure)
      #expect(departure >= 1_430 && departure <= 9_000, "seed \(seed): \(departure) s")
      #expect(VisitReport.all(in: events).last?.visit.isArrivalSeen == true, "seed \(seed)")
    }
  }

  @Test("on wild walks every visit is whole", arguments: Array(1...60) as [UInt64])
  func hostile(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (rules, fixes) = HostileWorld.make(&random)
    var open: Visit?
    for told in VisitReport.all(in: HostileWorld.events(rules, fixes)) {
      let (visit, event) = (told.visit, told.event)
      let isPlace = event.coordinate.latitude.isFinite && event.coordinate.longitude.isFinite
      #expect(isPlace, "seed \(seed): \(event)")
      #expect(event.horizontalAccuracy.map { $0.isFinite && $0 > 0 } == true, "seed \(seed)")
      #expect((0...1).contains(visit.confidence), "seed \(seed): \(event)")
      #expect(event.time <= event.decided, "seed \(seed): \(event)")
      if let departure = visit.departure {
        #expect(departure >= visit.arrival, "seed \(seed): \(event)")
        // A stay that was a silence is reported once, when it is over.
        #expect(visit.revision == (open == nil ? 0 : 1), "seed \(seed): \(event)")
        #expect(open == nil || open?.arrival == visit.arrival, "seed \(seed): \(event)")
        #expect(
          open == nil || open?.isArrivalSeen == visit.isArrivalSeen, "seed \(seed): \(event)")
        open = nil
      } else {
        #expect(open == nil, "seed \(seed): \(event)")
        open = visit
      }
    }
  }

  @Test("of a few steps to and fro no visit is told before it is there", arguments: [10.0, 30, 60])
  func shortStays(minimumStay: Double) {
    var wanted = VisitRules()
    wanted.minimumStay = minimumStay
    var count = 0
    for seed in 1...200 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let step = Double.random(in: 2...20, using: &random)
      let fixes = (0..<20).map {
        Ground().fix(Double($0) * step, .random(in: -60...60, using: &random), accuracy: 5)
      }
      var last: Event?
      for event in VisitRun.events(fixes, wanted) {
        #expect(event.time <= event.decided, "seed \(seed): \(event)")
        // A fix is the reason, and none that has still to come.
        #expect(fixes.contains { $0.time == event.decided }, "seed \(seed): \(event)")
        if let last { #expect(last.time <= event.time, "seed \(seed): \(last)\n\(event)") }
        last = event
        count += 1
      }
    }
    #expect(count > 50)
  }

  @Test("a checkpoint in the middle of a stay changes nothing", arguments: [35, 60, 100, 149, 155])
  func checkpoint(index: Int) throws {
    let fixes = Day.stay(1_200).fixes(every: 10)
    var tracker = VisitRun.tracker()
    var events: [Event] = []
    for fix in fixes[..<index] { tracker.ingest(fix, into: &events) }
    let restored = try JSONDecoder().decode(Tracker.self, from: JSONEncoder().encode(tracker))
    let isSame = restored == tracker
    #expect(isSame)
    tracker = restored
    for fix in fixes[index...] { tracker.ingest(fix, into: &events) }
    #expect(events == VisitRun.events(fixes))
    #expect(VisitRun.letters(events) == "vw")
  }

  @Test(
    "a checkpoint with points that are not there is refused",
    arguments: [
      ("first", 100_000), ("first", -1), ("base", -1), ("base", 100_000), ("last", 100_000),
    ])
  func damaged(key: String, value: Int) throws {
    var tracker = VisitRun.tracker()
    var events: [Event] = []
    for fix in Day.stay(1_200).fixes(every: 10)[..<100] { tracker.ingest(fix, into: &events) }
    #expect(VisitRun.letters(events) == "v")
    let data = try JSONEncoder().encode(tracker)
    var state = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    var visits = try #require(state["visits"] as? [String: Any])
    switch key {
    case "first": visits[key] = value
    case "base":
      var trail = try #require(visits["trail"] as? [String: Any])
      #expect(trail[key] != nil)
      trail[key] = value
      visits["trail"] = trail
    default:
      var stay = try #require(visits["stay"] as? [String: Any])
      #expect(stay[key] != nil)
      stay[key] = value
      visits["stay"] = stay
    }
    state["visits"] = visits
    let damaged = try JSONSerialization.data(withJSONObject: state)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Tracker.self, from: damaged) }
  }
}
