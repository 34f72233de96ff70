import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

@Suite("Visits")
struct VisitMonitorTests {
  @Test("a stay is told once while it lasts and once when it is over", arguments: [1.0, 10, 60])
  func stay(step: Double) throws {
    for seed in VisitRun.seeds {
      let events = VisitRun.events(Day.stay(1_200).fixes(every: step, seed: seed))
      #expect(VisitRun.letters(events) == "vw", "seed \(seed)")
      let come = try #require(VisitReport.arrivals(in: events).first)
      let gone = try #require(VisitReport.departures(in: events).first)
      #expect(abs(come.arrival - 300) <= 60, "seed \(seed): \(come.arrival) s")
      #expect(come.decided <= 600, "seed \(seed): told after \(come.decided) s")
      #expect(come.event.time == come.visit.arrival && come.visit.isArrivalSeen)
      #expect(come.distance(to: 0) <= 20, "seed \(seed): \(come.distance(to: 0)) m")

      #expect(gone.visit.arrival == come.visit.arrival, "seed \(seed)")
      let departure = try #require(gone.departure)
      #expect(abs(departure - 1_500) <= 60, "seed \(seed): \(departure) s")
      #expect(gone.event.time == gone.visit.departure && gone.decided >= departure)
      #expect(gone.distance(to: 0) <= 20, "seed \(seed): \(gone.distance(to: 0)) m")
      for told in [come, gone] {
        #expect((0.5...1).contains(told.visit.confidence))
        #expect((told.event.horizontalAccuracy ?? -1) > 0)
      }
    }
  }

  @Test("none is told when none is asked for")
  func off() {
    #expect(VisitRun.events(Day.stay(1_200).fixes(every: 10), nil).isEmpty)
  }

  @Test("a stay that is not over has no departure")
  func stillThere() {
    let day = Day((0, -3_000), (300, 0), (40_000, 0))
    for seed in VisitRun.seeds {
      #expect(
        VisitRun.letters(VisitRun.events(day.fixes(every: 60, seed: seed))) == "v", "seed \(seed)")
    }
  }

  @Test("a device that is there at its first fix was not seen to come", arguments: [1.0, 10, 60])
  func firstSeenAtRest(step: Double) throws {
    let day = Day((0, 0), (1_200, 0), (1_500, 3_000), (2_100, 9_000))
    for seed in VisitRun.seeds {
      let events = VisitRun.events(day.fixes(every: step, seed: seed))
      #expect(VisitRun.letters(events) == "vw", "seed \(seed)")
      for told in VisitReport.all(in: events) {
        #expect(!told.visit.isArrivalSeen, "seed \(seed)")
        #expect(told.arrival == 0, "seed \(seed)")
      }
    }
  }

  @Test("a gap that begins and ends at the place is part of the stay", arguments: [1.0, 10, 60])
  func gap(step: Double) throws {
    for seed in VisitRun.seeds {
      let fixes = Day.stay(4_200).fixes(every: step, seed: seed, gap: 1_200..<3_600)
      let events = VisitRun.events(fixes)
      #expect(VisitRun.letters(events) == "vw", "seed \(seed)")
      let departure = try #require(VisitReport.departures(in: events).first?.departure)
      #expect(abs(departure - 4_500) <= 60, "seed \(seed): \(departure) s")
    }
  }

  @Test("a short excursion is part of the stay", arguments: [1.0, 10, 60])
  func excursion(step: Double) throws {
    // 100 m to the next corner and back, in three minutes.
    let day = Day(
      (0, -3_000), (300, 0), (1_500, 0), (1_575, 100), (1_605, 100), (1_680, 0), (3_000, 0),
      (3_300, 3_000), (3_900, 9_000))
    for seed in VisitRun.seeds {
      let events = VisitRun.events(day.fixes(every: step, seed: seed))
      #expect(VisitRun.letters(events) == "vw", "seed \(seed)")
      let departure = try #require(VisitReport.departures(in: events).first?.departure)
      #expect(abs(departure - 3_000) <= 60, "seed \(seed): \(departure) s")
    }
  }

  @Test("two places 300 m apart are two visits, one after the other", arguments: [1.0, 10, 60])
  func twoPlaces(step: Double) throws {
    let day = Day(
      (0, -3_000), (300, 0), (1_500, 0), (1_714, 300), (2_914, 300), (3_214, 3_300),
      (3_814, 9_300))
    for seed in VisitRun.seeds {
      let events = VisitRun.events(day.fixes(every: step, seed: seed))
      #expect(VisitRun.letters(events) == "vwvw", "seed \(seed)")
      let visits = VisitReport.departures(in: events)
      let (first, second) = (try #require(visits.first), try #require(visits.last))
      #expect(first.distance(to: 0) <= 20 && second.distance(to: 300) <= 20, "seed \(seed)")
      let departure = try #require(first.departure)
      #expect(departure <= second.arrival, "seed \(seed): \(departure) s, \(second.arrival) s")
      #expect(abs(departure - 1_500) <= 75, "seed \(seed): \(departure) s")
      #expect(abs(second.arrival - 1_714) <= 75, "seed \(seed): \(second.arrival) s")
    }
  }

  @Test("a fix every ten minutes is enough for stays of 40 minutes")
  func sparse() throws {
    let day = Day(
      (0, -20_000), (1_500, 0), (3_900, 0), (5_700, 12_000), (8_100, 12_000), (10_500, 40_000),
      (11_700, 52_000))
    for seed in VisitRun.seeds {
      // Every tenth fix of a device that sends one a minute.
      let fixes = day.fixes(every: 60, seed: seed).enumerated()
        .filter { $0.offset.isMultiple(of: 10) }.map(\.element)
      let events = VisitRun.events(fixes)
      #expect(VisitRun.letters(events) == "vwvw", "seed \(seed)")
      for (told, truth) in zip(
        VisitReport.departures(in: events), [(1_500.0, 0.0), (5_700, 12_000)])
      {
        #expect(told.distance(to: truth.1) <= 20, "seed \(seed)")
        #expect(abs(told.arrival - truth.0) <= 600, "seed \(seed): \(told.arrival) s")
        let departure = try #require(told.departure)
        #expect(abs(departure - truth.0 - 2_400) <= 600, "seed \(seed): \(departure) s")
      }
    }
  }
}

@Suite("Visits: what is none")
struct VisitMonitorTrafficTests {
  private func expectNone(_ day: Day, step: Double) {
    for seed in VisitRun.seeds {
      let events = VisitRun.events(day.fixes(every: step, seed: seed))
      #expect(events.isEmpty, "seed \(seed): \(events)")
    }
  }

  @Test("a red light", arguments: [1.0, 10, 60])
  func redLight(step: Double) {
    expectNone(Day((0, -6_000), (500, 0), (560, 0), (1_060, 6_000)), step: step)
  }

  @Test("a traffic jam of ten minutes", arguments: [1.0, 10, 60])
  func jam(step: Double) {
    expectNone(Day((0, -6_000), (500, 0), (1_100, 300), (1_600, 6_000)), step: step)
  }

  @Test("a slow walk", arguments: [1.0, 10, 60])
  func walk(step: Double) {
    expectNone(Day((0, 0), (3_600, 2_880)), step: step)
  }

  @Test("a bus that stops for half a minute every 400 m", arguments: [1.0, 10, 60])
  func bus(step: Double) {
    var day = Day((0, 0))
    for stop in 1...25 {
      let time = Double(stop) * 80
      day.corners.append((time - 30, Double(stop) * 400))
      day.corners.append((time, Double(stop) * 400))
    }
    expectNone(day, step: step)
  }

  @Test("a stay below the minimum", arguments: [1.0, 10, 60])
  func minimumStay(step: Double) {
    var wanted = VisitRules()
    wanted.minimumStay = 1_200
    for seed in VisitRun.seeds {
      let short = VisitRun.events(Day.stay(600).fixes(every: step, seed: seed), wanted)
      #expect(short.isEmpty, "seed \(seed): \(short)")
      let long = VisitRun.events(Day.stay(2_400).fixes(every: step, seed: seed), wanted)
      #expect(VisitRun.letters(long) == "vw", "seed \(seed)")
    }
  }

  @Test("a way that is wider than the radius, and a stay in a wider one", arguments: [10.0, 60])
  func radius(step: Double) {
    // To and fro between two ends 240 m apart, a quarter of an hour at a time on the way.
    var day = Day((0, -3_000), (300, -120))
    for turn in 0..<12 {
      day.corners.append((600 + Double(turn) * 300, turn.isMultiple(of: 2) ? 120 : -120))
    }
    day.corners += [(4_200, 3_000), (4_800, 9_000)]
    var wide = VisitRules()
    wide.radius = 250
    for seed in VisitRun.seeds {
      let fixes = day.fixes(every: step, seed: seed)
      let narrow = VisitRun.events(fixes)
      #expect(narrow.isEmpty, "seed \(seed): \(narrow)")
      #expect(VisitRun.letters(VisitRun.events(fixes, wide)) == "vw", "seed \(seed)")
    }
  }
}
