import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

/// What a program can ask an engine between two fixes.
@Suite("What is known at the last fix")
struct ObservationTests {
  @Test("nothing is known before the first fix")
  func nothing() throws {
    let tracker = Tracker(rules: try StripChart().rules())
    #expect(tracker.observation == nil && tracker.positions == nil)
    #expect(tracker.velocitySigma == nil && tracker.standingStay == nil)
    #expect(tracker.presence.isEmpty)
  }

  @Test("fences that are near have the probability of being inside, the others are left out")
  func probabilities() throws {
    let ground = Ground()
    let fences = [(0.0, 100.0), (40, 100), (5_000, 100)].enumerated().map { number, circle in
      Fence(
        id: "f\(number)",
        area: .circle(Circle(center: ground.place(circle.0), radius: circle.1)))
    }
    var tracker = Tracker(rules: Rules(fences: try FenceSet(fences)))
    var events: [Event] = []
    for second in 0..<20 {
      tracker.ingest(ground.fix(Double(second), 0, accuracy: 5), into: &events)
    }
    let known = try #require(tracker.observation)
    #expect(known.estimate == tracker.estimate)
    #expect(known.inside.map(\.fence) == [0, 1])
    #expect(known.inside.allSatisfy { $0.probability > 0.99 && $0.probability <= 1 })
    #expect(tracker.positions != nil)
    #expect(try #require(tracker.velocitySigma) > 0)
    #expect(tracker.presence.map(\.fence) == ["f0", "f1"])
    #expect(tracker.presence.allSatisfy { $0.since == Ground.time(0) })
    #expect(tracker.stays.map(\.fence) == [0, 1])
  }

  @Test("a stay stands from the arrival until the departure")
  func stay() throws {
    var rules = Rules(fences: FenceSet())
    rules.visits = VisitRules()
    var tracker = Tracker(rules: rules)
    var (events, standing) = ([Event](), [StandingStay]())
    for fix in Day.stay(1_800).fixes(every: 10) {
      tracker.ingest(fix, into: &events)
      if let stay = tracker.standingStay { standing.append(stay) }
    }
    let visit = try #require(VisitReport.all(in: events).last?.visit)
    let last = try #require(standing.last)
    #expect(last == StandingStay(arrival: visit.arrival, coordinate: last.coordinate))
    #expect(tracker.standingStay == nil)
  }

  @Test("an engine that is read from a checkpoint has the same hash")
  func hashes() throws {
    var (tracker, other) = (Tracker(rules: try StripChart().rules()), Set<Tracker>())
    var events: [Event] = []
    for second in 0..<20 {
      tracker.ingest(StripChart.fix(0, ticks: Double(second)), into: &events)
    }
    other.insert(tracker)
    // Storage that is reused is no part of the state.
    var copy = tracker
    copy.fences.clearances.clear()
    #expect(other.contains(copy))
  }
}
